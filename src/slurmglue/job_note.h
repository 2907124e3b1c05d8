/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What people read of a job. Called under vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_JOB_NOTE_H
#define VMALL_GLUE_JOB_NOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why the job waits, for squeue's reason column. Nothing happens if the job does not wait any more.
 */
void vmall_set_wait_reason(uint32_t job_id, bool head, const char *why);

/* When the job is expected to start, for squeue --start. Nothing happens if it does not wait any
 * more. */
void vmall_set_expected_start(uint32_t job_id, time_t start);

/* What scontrol and sacct show as AdminComment, as long as the lock is held; empty if there is
 * none, or no such job. */
const char *vmall_admin_comment(uint32_t job_id);
void vmall_set_admin_comment(uint32_t job_id, const char *text);

#ifdef __cplusplus
}
#endif

#endif
