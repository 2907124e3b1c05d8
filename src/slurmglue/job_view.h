/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld's jobs as plain values, and those that are active. Everything here is called under
 * vmall_lock_to_read(); pointers are valid during the visit only.
 */
#ifndef VMALL_GLUE_JOB_VIEW_H
#define VMALL_GLUE_JOB_VIEW_H

#include "slurmglue/applicant.h"

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cores of one job on one node: core numbers within the node, ascending. */
struct vmall_node_cores {
    uint32_t node;
    const uint32_t *cores;
    uint32_t core_count;
};

/* The same without which, and its memory there. */
struct vmall_node_count {
    uint32_t node;
    uint32_t cores;
    uint64_t memory; /* MiB; 0: Slurm does not count it */
};

/* MiB that a waiting job asks for; 0: none, or Slurm does not count it. */
struct vmall_memory_request {
    uint64_t of_each_cpu;
    uint64_t of_each_node; /* UINT64_MAX: all that it has */
};

enum vmall_job_state {
    VMALL_JOB_WAITING,
    VMALL_JOB_RUNNING,
    VMALL_JOB_SUSPENDED,
    VMALL_JOB_COMPLETING
};

struct vmall_job {
    struct vmall_applicant applicant;
    uint32_t id;
    uint32_t user_id;
    const char *name;
    const char *partition;   /* a waiting job: the one it would start in */
    const char *qos;         /* empty: none, as without slurmdbd */
    const char *account;     /* empty: none */
    uint16_t partition_tier; /* its PriorityTier */
    uint32_t qos_priority;   /* 0: none, as without slurmdbd */
    enum vmall_job_state state;
    time_t submitted;
    time_t waits_since;  /* for cores: not held, nor before --begin or for other jobs */
    time_t started;      /* 0 while it waits */
    uint32_t run;        /* how often it was requeued; of a completing job perhaps the next run's */
    uint32_t time_limit; /* seconds; UINT32_MAX: none */
    uint32_t suspended;  /* seconds since it started */
    /* Until when it can run, whatever its limit: 0: nobody has said. */
    time_t deadline;
    time_t reserved;          /* others need its nodes; waiting: some that it could start on */
    time_t reservation_ends;  /* its own, and Slurm ends it with that */
    uint32_t partition_limit; /* seconds, as above: what the site allows */
    uint32_t qos_limit;
    uint32_t tasks;            /* not waiting: on the nodes that it still holds */
    uint32_t min_nodes;        /* that it asks for, or waiting: that have its GRES */
    uint32_t max_nodes;        /* 0: no limit */
    uint32_t tasks_per_node;   /* at most; 0: that is left open */
    bool any_spread;           /* waiting: its tasks may go wherever there is room */
    uint32_t cpus_per_task;    /* at least 1 */
    uint32_t gres_cpus;        /* that its GRES bring, whatever its tasks; 0: none */
    uint32_t threads_per_core; /* that it uses at most; 0: all that a core has */
    uint32_t min_cpus;         /* at least this many in all, whatever its tasks */
    uint32_t het_job;        /* only sched/backfill starts those, all components at once; 0: none */
    uint32_t het_components; /* that it has */
    time_t planned_start;    /* waiting: by sched/backfill; 0: it has not planned it */
    bool configuring;        /* its nodes are not ready yet */
    bool nodes_booting;      /* `started` will be set anew when they are up */
    bool has_steps;          /* something of it runs on its nodes: batch script or steps */
    bool record_can_end;     /* accounting can take a resize now (accounting.h) */
    /* Waiting: where it could start now if the cores were free, ascending. Jobs with the same nodes
     * have the same pointer in one visit of the queue. */
    const uint32_t *eligible_nodes;
    uint32_t eligible_node_count;
    struct vmall_memory_request memory;
    const struct vmall_node_count *allotment; /* not waiting: what it holds, ascending by node */
    uint32_t allotment_count;
    const uint32_t *tasks_on; /* of each of these nodes; NULL: equally many */
    /* not waiting: when it was started, resized, suspended or resumed last, or when it ended */
    time_t allotment_since;
};

/* Whether `asked` is true of any job that has not ended. `unasked`: those that have sent us nothing
 * are looked at, too. */
bool vmall_any_job(bool (*asked)(const struct vmall_applicant *job, const void *context),
                   const void *context, bool unasked);

typedef void (*vmall_visit_job)(void *context, const struct vmall_job *job);
typedef void (*vmall_visit_node_cores)(void *context, const struct vmall_node_cores *cores);

/* Running, suspended and completing jobs, ascending by id. */
void vmall_visit_active(vmall_visit_job visit, void *context);
/* One of them, if it is. */
void vmall_visit_active_job(uint32_t job_id, vmall_visit_job visit, void *context);

/* Of an active job, ascending by node: the cores that it holds, and those that nobody holds on its
 * nodes. Nodes that are down have none of these. */
void vmall_visit_held_cores(uint32_t job_id, vmall_visit_node_cores visit, void *context);
void vmall_visit_free_cores(uint32_t job_id, vmall_visit_node_cores visit, void *context);

/* Whether a step of the job, its batch script included, has been given the node: it runs there, or
 * is about to. */
bool vmall_has_step_on(uint32_t job_id, uint32_t node);

/* When the job ended or was requeued, 0 if slurmctld has forgotten it. */
time_t vmall_job_end(uint32_t job_id);

#ifdef __cplusplus
}
#endif

#endif
