/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a job may run, and how long it has.
 */
#ifndef VMALL_GLUE_TIME_LIMIT_H
#define VMALL_GLUE_TIME_LIMIT_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

bool vmall_has_deadline(const job_record_t *record);

/* In minutes, as Slurm has it; of a job that waits, if it started now. `partition` may be NULL. */
uint32_t vmall_time_limit(const job_record_t *record, const part_record_t *partition);

/* Seconds of an active job, without those that it was suspended. */
time_t vmall_time_run(const job_record_t *record, time_t now);

/* Seconds of a limit in minutes; UINT32_MAX: none. */
uint32_t vmall_limit_seconds(uint32_t minutes);

/* MaxWall of the QOS that counts for the job, in minutes; INFINITE: none. With the QOS locked. */
uint32_t vmall_qos_time_limit(const job_record_t *record);

/* Lets a running job go on until it has run so many seconds. Slurm's usage follows; whoever asks
 * for this tells slurmdbd and those who read job records. A job that is being preempted ends when
 * it is to, and one without a limit has none. */
void vmall_give_time(job_record_t *record, uint32_t seconds);

#endif
