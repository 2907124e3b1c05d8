/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Changing the cores of a running job, under vmall_lock_to_act(). This is the controller's half
 * only: the caller has made sure that nothing of the job runs outside of the new cores
 * (doc/protocol.md).
 */
#ifndef VMALL_GLUE_JOB_RESIZE_H
#define VMALL_GLUE_JOB_RESIZE_H

#include "slurmglue/job_view.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The error that Slurm has for it differs between releases. */
extern const int vmall_slurmdbd_not_ready;

/* Gives the job exactly `target` (one entry per node of the job, ascending by node, cores ascending
 * and not empty). Everything Slurm shows and accounts follows: TRES, usage of association and QOS,
 * node state.
 *
 * With it, if time_limit is not 0, the job gets this limit: vmall_set_job_limit() (time_limits.h).
 *
 * Returns 0, or
 *   ESLURM_INVALID_JOB_ID          no such job
 *   ESLURM_JOB_NOT_RUNNING         it waits, is suspended, ends, or its nodes are not ready
 *   ESLURM_NOT_SUPPORTED           whole nodes, or a het job
 *   ESLURM_INVALID_NODE_NAME       the nodes are not those of the job
 *   ESLURM_INVALID_CORE_CNT        no core, a core the node does not have, or not ascending
 *   ESLURM_NODES_BUSY              another job has one of the cores
 *   ESLURM_ACCOUNTING_POLICY       it would grow beyond a limit of its association, QOS or
 *                                  partition (MaxCPUsPerNode)
 *   vmall_slurmdbd_not_ready       (vmall_job.record_can_end)
 *   ESLURM_DISABLED                slurmctld is ending
 * and changes nothing then. */
int vmall_resize_job(uint32_t job_id, const struct vmall_node_cores *target, uint32_t node_count,
                     uint32_t time_limit);

/* The same in the books of the select plugin only, to see what could start then. To be taken back
 * with the cores that the job holds before the lock is given back. */
int vmall_try_resize(uint32_t job_id, const struct vmall_node_cores *target, uint32_t node_count);

#ifdef __cplusplus
}
#endif

#endif
