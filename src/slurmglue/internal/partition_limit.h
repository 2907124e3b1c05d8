/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether MaxCPUsPerNode of a job's partition lets it grow while it runs. Slurm checks it when a
 * job starts and never again.
 */
#ifndef VMALL_GLUE_PARTITION_LIMIT_H
#define VMALL_GLUE_PARTITION_LIMIT_H

#include "slurmglue/internal/job_cores.h"

#include <stdbool.h>

/* One target for each slice, as in vmall_set_cores(). True if the job grows on no node where jobs
 * of its partition would then have more CPUs than they may. */
bool vmall_partition_allows(const job_record_t *record, const struct vmall_node_slice *slices,
                            const struct vmall_node_cores *target);

#endif
