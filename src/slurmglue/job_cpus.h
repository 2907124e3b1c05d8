/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurmctld answers commands of a job's CPUs.
 */
#ifndef VMALL_GLUE_JOB_CPUS_H
#define VMALL_GLUE_JOB_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the job has fewer CPUs than were asked for its tasks. Asks slurmctld and waits for it;
 * false if it does not say. */
bool vmall_has_fewer_cpus_than_asked(uint32_t job_id);

#ifdef __cplusplus
}
#endif

#endif
