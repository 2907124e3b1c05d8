/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by the partition's figures and a node of each line of slurm.conf, for which all others of
 * that line stand.
 */
#include "slurmglue/internal/whole_nodes.h"

#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/node_lines.h"

#include SLURM_GRES_H
#include "src/common/job_resources.h"
#include "src/common/list.h"

/* Programs with libslurm load select/cons_tres_vmall, too, and do not have it. */
#pragma weak part_list

bool vmall_takes_whole_nodes(const job_record_t *job, const part_record_t *partition) {
    return (partition && partition->max_share == 0) ||
           (job->details && job->details->whole_node == WHOLE_NODE_REQUIRED);
}

static bool nodes_are_alike(const part_record_t *partition, const node_record_t *node) {
    return partition->max_core_cnt == node->tot_cores &&
           partition->total_cpus == (uint64_t)partition->total_nodes * node->cpus;
}

static bool keeps_cores_back(const node_record_t *node, void *unused) {
    (void)unused;
    return node->node_spec_bitmap && bit_clear_count(node->node_spec_bitmap);
}

/* list_find */
static int is_there(void *gres_state, void *unused) {
    const gres_node_state_t *gres = ((const gres_state_t *)gres_state)->gres_data;
    (void)unused;
    return gres->gres_cnt_config > 0;
}

static bool has_gres(const node_record_t *node, void *unused) {
    (void)unused;
    return node->gres_list && list_find_first_ro(node->gres_list, is_there, NULL);
}

/* list_find: they would be put on nodes of this one, beside what a fold has left. */
static int gives_out_cores_of(void *other_partition, void *partition) {
    const part_record_t *other = other_partition;
    return other->max_share != 0 && other->node_bitmap &&
           bit_overlap_any(other->node_bitmap, ((const part_record_t *)partition)->node_bitmap);
}

bool vmall_was_started_to_lend(const job_record_t *job) {
    return job->job_resrcs && !job->job_resrcs->whole_node;
}

const char *vmall_keeps_whole_nodes(const job_record_t *job, const part_record_t *partition) {
    if (!IS_JOB_PENDING(job))
        return vmall_was_started_to_lend(job) && vmall_first_node(job->job_resrcs->node_bitmap)
                   ? NULL
                   : "it was started on whole nodes";
    const node_record_t *node = partition ? vmall_first_node(partition->node_bitmap) : NULL;
    if (!node || partition->max_share != 0)
        return "it takes whole nodes of a partition whose jobs share nodes (--exclusive)";
    if (list_find_first_ro(part_list, gives_out_cores_of, (void *)partition))
        return "another partition lets jobs share its nodes";
    if (!nodes_are_alike(partition, node))
        return "it takes whole nodes, and those of its partition differ";
    if (vmall_visit_lines(partition, has_gres, NULL))
        return "it takes whole nodes with all of their GRES";
    if (job->details->core_spec != NO_VAL16 || vmall_visit_lines(partition, keeps_cores_back, NULL))
        return "it takes whole nodes, and cores of them are kept for the system";
    return NULL;
}

static bool have_nodes_alike(const part_record_t *one, const part_record_t *other) {
    const node_record_t *of_one = vmall_first_node(one->node_bitmap),
                        *of_other = vmall_first_node(other->node_bitmap);
    return of_one && of_other && of_one->tot_cores == of_other->tot_cores &&
           of_one->cpus == of_other->cpus;
}

const char *vmall_differs_in(const job_record_t *job, const part_record_t *other) {
    const bool whole_nodes = vmall_takes_whole_nodes(job, job->part_ptr);
    if (vmall_takes_whole_nodes(job, other) != whole_nodes)
        return "some of its partitions give out whole nodes and others do not";
    if (!whole_nodes)
        return NULL;
    const char *keeps = vmall_keeps_whole_nodes(job, other);
    if (!keeps && !have_nodes_alike(job->part_ptr, other))
        return "it takes whole nodes, and those of its partitions differ";
    return keeps;
}

void vmall_fill_node(struct vmall_applicant *applicant, const job_record_t *job) {
    const node_record_t *node = vmall_first_node(
        IS_JOB_PENDING(job) ? job->part_ptr->node_bitmap : job->job_resrcs->node_bitmap);
    applicant->node_cores = node->tot_cores;
    applicant->node_cpus = node->tot_cores * vmall_cpus_per_core(job->details, node);
}

struct vmall_whole_request vmall_ask_for_cores(job_record_t *job) {
    job_details_t *details = job->details;
    part_record_t *partition = job->part_ptr;
    const struct vmall_whole_request asked = {partition, partition->max_share, details->whole_node,
                                              details->share_res};
    if (partition->max_share == 0) {
        partition->max_share = 1; /* OverSubscribe=NO */
        details->whole_node = 0;
        details->share_res = NO_VAL8;
    }
    return asked;
}

void vmall_close_partition(const struct vmall_whole_request *request) {
    request->partition->max_share = request->max_share;
}

void vmall_ask_for_whole_nodes(job_details_t *details, const struct vmall_whole_request *request) {
    details->whole_node = request->whole_node;
    details->share_res = request->share_res;
}
