/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who says -N, --ntasks-per-node, -w, -m or binds tasks to sockets has said how.
 */
#include "slurmglue/internal/open_spread.h"

#include "slurmglue/internal/job_shape.h"

static bool is_said(uint16_t number) {
    return number && number < NO_VAL16;
}

static bool says_where(const job_details_t *details) {
    return details->min_nodes > 1 || details->max_nodes || details->req_node_bitmap ||
           vmall_tasks_per_node(details) || details->contiguous;
}

/* Slurm takes cyclic for what is not said where it comes by its API. */
static bool distributes_tasks(const job_details_t *details) {
    const uint32_t distribution = details->task_dist & SLURM_DIST_STATE_BASE;
    return distribution && distribution != SLURM_DIST_UNKNOWN && distribution != SLURM_DIST_CYCLIC;
}

static bool ties_tasks_to_cores(const job_details_t *details) {
    const multi_core_data_t *said = details->mc_ptr;
    return said && (is_said(said->sockets_per_node) || is_said(said->cores_per_socket) ||
                    is_said(said->ntasks_per_socket) || is_said(said->ntasks_per_core));
}

bool vmall_leaves_spread_open(const job_record_t *job) {
    const job_details_t *details = job->details;
    return !SINCE(25, 5) && !vmall_has_step_manager(job) && !job->gres_list_req &&
           !(job->bit_flags & SPREAD_JOB) && !says_where(details) && !distributes_tasks(details) &&
           !ties_tasks_to_cores(details);
}
