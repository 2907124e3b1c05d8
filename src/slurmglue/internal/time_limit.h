/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job may run.
 */
#ifndef VMALL_GLUE_TIME_LIMIT_H
#define VMALL_GLUE_TIME_LIMIT_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

#include <stdbool.h>

bool vmall_has_deadline(const job_record_t *record);

/* In minutes, as Slurm has it; of a job that waits, if it started now. `partition` may be NULL. */
uint32_t vmall_time_limit(const job_record_t *record, const part_record_t *partition);

#endif
