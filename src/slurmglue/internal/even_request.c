/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A shape has whole cores for each task, and equally many tasks on each node. Who takes whole nodes
 * has all of their cores, whatever he asks for each task.
 */
#include "slurmglue/internal/even_request.h"

#include "slurmglue/internal/gres_cpus.h"
#include "slurmglue/internal/gres_nodes.h"
#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/node_lines.h"
#include "slurmglue/internal/whole_nodes.h"

static bool is_said(uint16_t number) {
    return number && number < NO_VAL16;
}

static bool places_tasks_itself(const job_details_t *details) {
    return (details->task_dist & SLURM_DIST_STATE_BASE) == SLURM_DIST_ARBITRARY;
}

static bool ties_tasks_to_sockets(const job_details_t *details) {
    const multi_core_data_t *said = details->mc_ptr;
    return said && (is_said(said->sockets_per_node) || is_said(said->cores_per_socket) ||
                    is_said(said->ntasks_per_socket));
}

/* Nodes of one partition are mostly alike; a start goes by those that the job gets. */
static bool tasks_fill_cores(const job_details_t *details, const part_record_t *partition) {
    const node_record_t *node = vmall_first_node(partition->node_bitmap);
    const uint32_t per_core = node ? vmall_cpus_per_core(details, node) : 0;
    return per_core && vmall_cpus_per_task(details) % per_core == 0;
}

/* Of the widest there are. */
static uint32_t nodes_for(uint32_t cpus, const part_record_t *partition) {
    const uint32_t widest = MAX(partition->max_cpu_cnt, 1);
    return (cpus + widest - 1) / widest;
}

/* Since 24.11 Slurm adds the CPUs that GRES bring when a job is submitted. */
static bool asks_for_its_tasks_alone(const job_record_t *job, const part_record_t *partition,
                                     uint32_t tasks, uint32_t cpus) {
    if (job->details->min_cpus == cpus)
        return true;
    const struct vmall_gres_cpus of_gres = vmall_cpus_of_gres(job, partition);
    return job->details->min_cpus == MAX(of_gres.of_job, of_gres.of_task * tasks);
}

bool vmall_is_even(const job_record_t *job, const part_record_t *partition) {
    const job_details_t *details = job->details;
    if (!details || !partition || !partition->node_bitmap)
        return false;
    const uint32_t tasks = MAX(details->num_tasks, 1);
    const uint32_t cpus = tasks * vmall_cpus_per_task(details);
    const uint32_t of_gres = vmall_nodes_for_gres(job, partition);
    const uint32_t of_cpus = nodes_for(cpus, partition);
    const uint32_t nodes = MAX(vmall_fewest_nodes(details), MAX(of_gres, of_cpus));
    return asks_for_its_tasks_alone(job, partition, tasks, cpus) && tasks % nodes == 0 &&
           details->pn_min_cpus <= vmall_cpus_of_node_tasks(details) && !details->overcommit &&
           !(job->bit_flags & SPREAD_JOB) && !places_tasks_itself(details) &&
           details->core_spec == NO_VAL16 && !ties_tasks_to_sockets(details) &&
           (vmall_takes_whole_nodes(job, partition) || tasks_fill_cores(details, partition));
}
