/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first jobs of Slurm's queue, as plain values.
 */
#ifndef VMALL_GLUE_QUEUE_VIEW_H
#define VMALL_GLUE_QUEUE_VIEW_H

#include "slurmglue/job_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many jobs of the queue sched/backfill would look at (bf_max_job_test). */
uint32_t vmall_queue_limit(void);

/* Of the first `limit` jobs of the queue, those that could start now if cores were free:
 * dependencies, holds, limits, licences and reservations allow it. Highest priority first. A job in
 * several partitions is visited once, for the partition where it has the highest priority, with the
 * nodes of all. Under vmall_lock_to_act(): building the queue changes jobs (reasons, arrays), and
 * finding their nodes reservations (internal/job_nodes.h). */
void vmall_visit_queue(uint32_t limit, vmall_visit_job visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
