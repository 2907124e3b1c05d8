/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a waiting job requests of Slurm. Called under vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_JOB_REQUEST_H
#define VMALL_GLUE_JOB_REQUEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A user who says --vm-procs=16,8 and no --ntasks requests one CPU of Slurm, whose own schedulers
 * would keep that much for the job and give the rest away behind it. Raises the request to so many
 * tasks and CPUs; never lowers it. Nothing happens if the job does not wait any more. */
void vmall_raise_request(uint32_t job_id, uint32_t tasks, uint32_t cpus);

#ifdef __cplusplus
}
#endif

#endif
