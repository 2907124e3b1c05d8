/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What decides whether a job can be virtually malleable: what it asked us for, whose it is, and
 * what of its request to Slurm forbids it.
 */
#ifndef VMALL_GLUE_APPLICANT_H
#define VMALL_GLUE_APPLICANT_H

#include <stdbool.h>
#include <stdint.h>

struct vmall_applicant {
    const char *const *spank_environment; /* the job's own; valid as long as its record is locked */
    uint32_t spank_environment_count;
    bool whole_nodes;  /* --exclusive, or the partition's OverSubscribe=EXCLUSIVE */
    const char *keeps; /* then: why it cannot lend cores of them, for people; NULL: it can */
    /* Of each of the nodes, if it can: all, and what it may use of the CPUs. */
    uint32_t node_cores, node_cpus;
    uint32_t tasks, min_nodes, cpus_per_task; /* at least 1 */
    /* While it waits: on each of its nodes, or Slurm gives it more CPUs than its tasks want, so
     * that it may have its memory (MaxMemPerCPU); 0: there is no such limit. */
    uint32_t tasks_for_memory;
    const char *fixed; /* why Slurm cannot resize it, for people; NULL: it can */
    bool gres;         /* it has some, which stay with it */
    bool waits;
    bool folded_with_gres; /* it has some, and runs on fewer cores than its tasks are to have */
    /* While it waits: a start with a shape (job_start.h) gives it just what it asks for, as many
     * whole cores for each task. */
    bool even;
    /* That it would start, or runs, in, with commas between them: it is the same in each of them;
     * empty: none. */
    const char *partitions;
    const char *qos;     /* empty: none; valid as long as the names of QOS are locked */
    const char *account; /* empty: none */
    uint32_t user_id;
};

#endif
