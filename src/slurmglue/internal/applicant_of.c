/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by the job, its GRES, its partition and slurm.conf.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/applicant_of.h"
#include "slurmglue/internal/even_request.h"
#include "slurmglue/internal/gres_cpus.h"
#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/node_lines.h"
#include "slurmglue/internal/whole_nodes.h"

#include SLURM_GRES_H
#include "src/slurmctld/slurmctld.h"

/* A core that is left would not be another job's to take. */
static bool gives_out_sockets(const part_record_t *partition) {
    return (slurm_conf.select_type_param | (partition ? partition->cr_type : 0)) & CR_SOCKET;
}

static bool shares_cores(const job_details_t *details, const part_record_t *partition) {
    const uint16_t share = partition ? partition->max_share : 1;
    const bool asks = details && details->share_res == 1;
    return (share & ~SHARED_FORCE) > 1 && ((share & SHARED_FORCE) || asks);
}

/* --exclusive=user and =mcs, or the partition's ExclusiveUser. */
static bool keeps_others_off(const job_details_t *details, const part_record_t *partition) {
    return (details && details->whole_node > WHOLE_NODE_REQUIRED) ||
           (partition && (partition->flags & PART_FLAG_EXCLUSIVE_USER));
}

/* list_find: other cores would be wrong for them, or other counts of tasks. */
static int goes_by_sockets_or_fixes_tasks(void *gres_state, void *unused) {
    const gres_job_state_t *gres = ((const gres_state_t *)gres_state)->gres_data;
    (void)unused;
    return gres->gres_per_socket || (gres->ntasks_per_gres && gres->ntasks_per_gres != NO_VAL16);
}

static bool has_gres(const job_record_t *job) {
    return job->gres_list_req && list_count(job->gres_list_req);
}

static bool gres_fix_cores(const job_record_t *job) {
    return has_gres(job) &&
           (job->bit_flags & GRES_ENFORCE_BIND ||
            list_find_first(job->gres_list_req, goes_by_sockets_or_fixes_tasks, NULL));
}

static uint32_t cpus_per_task(const job_record_t *job) {
    const struct vmall_gres_cpus of_gres = vmall_cpus_of_gres(job, job->part_ptr);
    const uint32_t tasks = MAX(job->details->num_tasks, 1);
    const uint32_t of_all = (of_gres.of_job + tasks - 1) / tasks;
    const uint32_t asked = vmall_cpus_per_task(job->details);
    return MAX(asked, MAX(of_gres.of_task, of_all));
}

static uint32_t cores_per_task(const job_record_t *job, const node_record_t *node) {
    const uint32_t per_core = vmall_cpus_per_core(job->details, node);
    return (cpus_per_task(job) + per_core - 1) / per_core;
}

struct core_counts {
    uint64_t has, of_tasks;
};

/* None while it waits. */
static struct core_counts count_cores(const job_record_t *job) {
    const job_resources_t *resources = job->job_resrcs;
    const node_record_t *node = resources ? vmall_first_node(resources->node_bitmap) : NULL;
    if (IS_JOB_PENDING(job) || !job->details || !node || !resources->core_bitmap)
        return (struct core_counts){0, 0};
    return (struct core_counts){bit_set_count(resources->core_bitmap),
                                (uint64_t)cores_per_task(job, node) * job->details->num_tasks};
}

/* Of each CPU, MaxMemPerCPU; 0: there is none. */
static uint64_t most_memory_per_cpu(const part_record_t *partition) {
    const uint64_t limit =
        partition->max_mem_per_cpu ? partition->max_mem_per_cpu : slurm_conf.max_mem_per_cpu;
    return limit & MEM_PER_CPU ? limit & ~MEM_PER_CPU : 0;
}

/* That memory brings each node; 0: none. The first node of the partition stands for all, as for
 * Slurm when it does the same. */
static uint64_t cpus_for_memory(const job_record_t *job, const part_record_t *partition) {
    const node_record_t *node = partition ? vmall_first_node(partition->node_bitmap) : NULL;
    const uint64_t most = node ? most_memory_per_cpu(partition) : 0;
    if (!most || job->details->pn_min_memory & MEM_PER_CPU)
        return 0;
    const uint64_t memory =
        job->details->pn_min_memory ? job->details->pn_min_memory : node->real_memory;
    return (memory + most - 1) / most;
}

static uint32_t tasks_for_memory(const job_record_t *job, const part_record_t *partition) {
    if (!IS_JOB_PENDING(job) || !job->details || vmall_takes_whole_nodes(job, partition))
        return 0;
    const uint64_t cpus = cpus_for_memory(job, partition);
    if (!cpus)
        return 0;
    const node_record_t *node = vmall_first_node(partition->node_bitmap);
    const uint64_t per_task = cores_per_task(job, node) * vmall_cpus_per_core(job->details, node);
    return (cpus + per_task - 1) / per_task;
}

/* Slurm adds the CPUs that memory brings to those of --mincpus. What we have started asks for no
 * more than its tasks have. */
static bool asks_for_cpus_of_each_node(const job_record_t *job, const part_record_t *partition) {
    const job_details_t *details = job->details;
    return details && details->orig_pn_min_cpus > vmall_cpus_of_node_tasks(details) &&
           details->orig_pn_min_cpus > cpus_for_memory(job, partition);
}

/* Slurm has added CPUs to those of its tasks when it started. */
static bool has_cpus_for_memory(const job_record_t *job, const part_record_t *partition) {
    if (!partition || !most_memory_per_cpu(partition) || vmall_takes_whole_nodes(job, partition))
        return false;
    const struct core_counts cores = count_cores(job);
    return cores.has > cores.of_tasks;
}

static const char *what_fixes(const job_record_t *job, const part_record_t *partition) {
    if (job->het_job_id)
        return "it is part of a heterogeneous job";
    if (gres_fix_cores(job))
        return "its GRES are bound to its cores, or counted by its sockets, or count its tasks";
    if (keeps_others_off(job->details, partition))
        return "its nodes are for one user only";
    if (shares_cores(job->details, partition))
        return "its partition lets jobs share cores (OverSubscribe)";
    if (gives_out_sockets(partition))
        return "whole sockets are given out (CR_Socket)";
    if (has_cpus_for_memory(job, partition))
        return "it asks for more memory than its tasks' CPUs may have (MaxMemPerCPU)";
    if (asks_for_cpus_of_each_node(job, partition))
        return "it asks for CPUs of each node (--mincpus)";
    /* It would not hear of cores that its job has given away. */
    if (vmall_has_step_manager(job))
        return "a slurmstepd manages its steps (--stepmgr)";
    return NULL;
}

static bool is_folded(const job_record_t *job) {
    const struct core_counts cores = count_cores(job);
    return cores.has < cores.of_tasks;
}

struct in_partition {
    const job_record_t *job;
    struct vmall_applicant *applicant;
};

/* list_for_each: a job that gives several partitions is started in any of them. */
static int has_to_be_the_same(void *other_partition, void *context) {
    const part_record_t *other = other_partition;
    const struct in_partition *it = context;
    struct vmall_applicant *applicant = it->applicant;
    if (!applicant->fixed)
        applicant->fixed = what_fixes(it->job, other);
    if (!applicant->fixed)
        applicant->fixed = vmall_differs_in(it->job, other);
    applicant->even = applicant->even && vmall_is_even(it->job, other);
    applicant->tasks_for_memory =
        MAX(applicant->tasks_for_memory, tasks_for_memory(it->job, other));
    return 0;
}

struct vmall_applicant vmall_applicant_of(const struct job_record *job) {
    const part_record_t *partition = job->part_ptr;
    const job_details_t *details = job->details;
    const bool whole_nodes = details && vmall_takes_whole_nodes(job, partition);
    struct vmall_applicant applicant = {
        .spank_environment = (const char *const *)job->spank_job_env,
        .spank_environment_count = job->spank_job_env ? job->spank_job_env_size : 0,
        .whole_nodes = whole_nodes,
        .keeps = whole_nodes ? vmall_keeps_whole_nodes(job, partition) : NULL,
        .fixed = what_fixes(job, partition),
        .gres = has_gres(job),
        .tasks = details ? MAX(details->num_tasks, 1) : 1,
        .min_nodes = details ? vmall_fewest_nodes(details) : 1,
        .cpus_per_task = details ? vmall_cpus_per_task(details) : 1,
        .tasks_for_memory = tasks_for_memory(job, partition),
        .waits = IS_JOB_PENDING(job),
        .folded_with_gres = has_gres(job) && is_folded(job),
        .even = IS_JOB_PENDING(job) && vmall_is_even(job, partition),
        .partitions = partition ? partition->name : "",
        .qos = job->qos_ptr && job->qos_ptr->name ? job->qos_ptr->name : "",
        .account = job->account ? job->account : "",
        .user_id = job->user_id,
    };
    if (whole_nodes && !applicant.keeps)
        vmall_fill_node(&applicant, job);
    if (IS_JOB_PENDING(job) && job->part_ptr_list && job->partition && partition && details) {
        struct in_partition it = {job, &applicant};
        list_for_each_ro(job->part_ptr_list, has_to_be_the_same, &it);
        applicant.partitions = job->partition;
    }
    return applicant;
}
