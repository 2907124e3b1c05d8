/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GRES that take more nodes than a job's cores do.
 */
#ifndef VMALL_GLUE_GRES_NODES_H
#define VMALL_GLUE_GRES_NODES_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

/* The fewest nodes of the partition that have the GRES of a job which asks for them in all or for
 * each task, by the node that has most; at least 1, also if it asks for none. */
uint32_t vmall_nodes_for_gres(const job_record_t *job, const part_record_t *partition);

#endif
