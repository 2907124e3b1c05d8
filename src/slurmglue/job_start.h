/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Starting and requeueing jobs, under vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_JOB_START_H
#define VMALL_GLUE_JOB_START_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a virtually malleable job is to start: `tasks` processes over `nodes` nodes, on
 * `cores_per_node` cores of each; folded if there are more processes than these cores can hold one
 * each. */
struct vmall_shape {
    uint32_t tasks;
    uint32_t nodes; /* at least so many, if the spread is open */
    uint32_t cores_per_node;
    uint32_t cpus_per_task; /* that each process would have unfolded */
    uint32_t mpl;
    /* 0: equally many on each. Else the spread is open: that many in all. */
    uint32_t cores;
    /* Of each of its nodes, ascending, if its user leaves the spread open. If it is open here, too,
     * these are `only_nodes`, where the gate leaves it its cores. NULL: not decided yet. */
    const uint32_t *tasks_on;
};

struct vmall_start {
    uint32_t job_id;
    const char *partition;
    const struct vmall_shape *shape; /* NULL: a job that did not ask for virtual malleability */
    const uint32_t *only_nodes;      /* ascending; it starts on no others */
    uint32_t only_node_count;        /* 0: on any */
    bool backfilled;
    bool takes_part; /* without having asked: its record, its prolog and its steps are told */
};

/* Starts a waiting job as Slurm's own schedulers would; with a shape, exactly so, and the job's
 * environment tells (SLURM_NTASKS, SLURM_NPROCS, SLURM_OVERCOMMIT), unless it has not asked; of
 * whole nodes it gets cores, and can lend them. In
 * `partition` or, if it cannot start there, in another one that the job gives. `started`: its id
 * now, for an element of a job array gets one of its own when it starts. Returns 0, or Slurm's
 * error (ESLURM_DISABLED: slurmctld is ending); the request is then as it was. */
int vmall_start_job(const struct vmall_start *start, uint32_t *started);

/* What vmall_start_job() would do at this moment: start it; have Slurm end or requeue others for
 * it, and start it when asked again; or nothing. */
enum vmall_prospect { VMALL_WOULD_WAIT, VMALL_WOULD_PREEMPT, VMALL_WOULD_START };
enum vmall_prospect vmall_prospect(const struct vmall_start *start);

/* When slurmctld itself believes that the waiting job can start, 0 if it cannot tell. */
time_t vmall_expected_start(uint32_t job_id);

/* Whether slurm.conf lets any job preempt others. A lock to read is enough. */
bool vmall_preemption_is_on(void);

/* Whether jobs run that Slurm would preempt for this one, when vmall_start_job() finds too few free
 * cores. The start fails nevertheless: they need time to end. */
bool vmall_may_preempt(uint32_t job_id);

/* Puts a running job back into the queue. Returns 0 or Slurm's error (jobs submitted with
 * --no-requeue; slurmctld is ending). */
int vmall_requeue_job(uint32_t job_id);

#ifdef __cplusplus
}
#endif

#endif
