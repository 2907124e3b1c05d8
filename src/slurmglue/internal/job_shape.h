/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A request to Slurm that can only be met with the shape that the scheduler has chosen.
 */
#ifndef VMALL_GLUE_JOB_SHAPE_H
#define VMALL_GLUE_JOB_SHAPE_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/job_start.h"

#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

/* The part of a request that a shape overrides while Slurm selects cores. */
struct vmall_request {
    uint32_t num_tasks, min_nodes, max_nodes, min_cpus, orig_min_cpus, max_cpus, orig_max_cpus,
        pn_min_cpus, orig_pn_min_cpus;
    uint16_t cpus_per_task, ntasks_per_node;
    uint8_t overcommit;
    uint64_t pn_min_memory;
    uint32_t of_task; /* vmall_cpus_per_task(); not applied: Slurm's has what memory brings, too */
};

struct vmall_request vmall_save_request(const job_details_t *details);
void vmall_apply_request(job_details_t *details, const struct vmall_request *request);

/* What the user asks for each task; 1 if that was left open. */
uint32_t vmall_cpus_per_task(const job_details_t *details);

/* How many tasks the user lets go on a node; 0: that was left open. */
uint32_t vmall_tasks_per_node(const job_details_t *details);

/* CPUs that the request asks each node for by what it says of its tasks; Slurm's pn_min_cpus is
 * more with --mincpus, or where memory brings CPUs. */
uint32_t vmall_cpus_of_node_tasks(const job_details_t *details);

/* Nodes that the user asks for, and as many as its tasks take where only so many may go on one; at
 * least 1. */
uint32_t vmall_fewest_nodes(const job_details_t *details);

/* How many of a core's threads the user lets the job use; 0: all. */
uint32_t vmall_threads_per_core(const job_details_t *details);

/* CPUs that a job may use of each core of a node. */
uint32_t vmall_cpus_per_core(const job_details_t *details, const node_record_t *node);

/* For Slurm to select by: as if each core were one task. `node`: one of those it may select. */
struct vmall_request vmall_shaped_request(const job_details_t *details,
                                          const struct vmall_shape *shape,
                                          const node_record_t *node);

/* For the job once it has its cores: the processes, as many per node as there are, whatever the
 * cores. */
struct vmall_request vmall_running_request(const struct vmall_request *asked,
                                           const struct vmall_request *shaped,
                                           const struct vmall_shape *shape);

/* Sets a variable of the job's supplemental environment, which overrides sbatch's. */
void vmall_set_environment(job_details_t *details, const char *name, uint32_t value);
void vmall_set_environment_text(job_details_t *details, const char *name, const char *value);
void vmall_unset_environment(job_details_t *details, const char *name);

/* The environment of its script, and how its tasks are spread. */
void vmall_tell_the_job(job_details_t *details, const struct vmall_request *running,
                        const struct vmall_shape *shape);

#endif
