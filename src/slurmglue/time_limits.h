/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time limits of running jobs and of their steps.
 */
#ifndef VMALL_GLUE_TIME_LIMITS_H
#define VMALL_GLUE_TIME_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A running step that has a limit of its own. */
struct vmall_step_limit {
    uint32_t step_id;
    uint32_t minutes; /* its limit */
    uint32_t ran;     /* seconds, but for the time that it was suspended */
};

typedef void (*vmall_visit_step_limit)(void *context, const struct vmall_step_limit *step);
/* Under a lock that the caller holds. */
void vmall_visit_step_limits(uint32_t job_id, vmall_visit_step_limit visit, void *context);

/* What follows is called under vmall_lock_to_act(). */

/* Lets a running job go on until it has run so many seconds; suspended ones do not count. What
 * Slurm shows, plans, accounts and limits by follows. Nothing happens to a job whose limit is not
 * `from` minutes any more, which does not run, or which is being preempted. False: slurmdbd, which
 * is being told of the job's start right now, has to be told of this again. */
bool vmall_set_job_limit(uint32_t job_id, uint32_t from, uint32_t seconds);

/* The same for a step, if it still runs. */
void vmall_set_step_limit(uint32_t job_id, uint32_t step_id, uint32_t minutes);

/* A job whose run is over, if it waits to run again with the limit that this run was extended to,
 * gets what was asked for. Minutes. False: there is nothing to be done any more, and it has ended
 * or runs again. */
bool vmall_take_extension_back(uint32_t job_id, uint32_t extended_to, uint32_t asked);

#ifdef __cplusplus
}
#endif

#endif
