/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by what nodes have, in use or not.
 */
#include "slurmglue/internal/gres_nodes.h"

#include "slurmglue/internal/node_lines.h"

#include SLURM_GRES_H
#include "src/common/list.h"

/* Programs with libslurm load select/cons_tres_vmall, too, and do not have it. */
#pragma weak node_record_count

/* list_find */
static int is_same_kind(void *gres_state, void *wanted) {
    return ((const gres_state_t *)gres_state)->plugin_id ==
           ((const gres_state_t *)wanted)->plugin_id;
}

static uint64_t of_type(const gres_node_state_t *here, const gres_job_state_t *wanted) {
    if (!wanted->type_name)
        return here->gres_cnt_avail;
    for (uint16_t i = 0; i < here->type_cnt; i++)
        if (here->type_id[i] == wanted->type_id)
            return here->type_cnt_avail[i];
    return 0;
}

struct most {
    gres_state_t *wanted;
    uint64_t on_one_node;
};

static bool look_at(const node_record_t *node, void *context) {
    struct most *most = context;
    const gres_state_t *found =
        node->gres_list ? list_find_first_ro(node->gres_list, is_same_kind, most->wanted) : NULL;
    if (found)
        most->on_one_node =
            MAX(most->on_one_node, of_type(found->gres_data, most->wanted->gres_data));
    return false;
}

struct count {
    const job_record_t *job;
    const part_record_t *partition;
    uint64_t nodes;
};

/* list_for_each */
static int count_nodes(void *gres_state, void *context) {
    struct count *count = context;
    struct most most = {gres_state, 0};
    const gres_job_state_t *wanted = most.wanted->gres_data;
    const uint64_t of_each = MAX(wanted->gres_per_task, 1); /* which come from one node */
    const uint64_t total =
        wanted->gres_per_task ? MAX(count->job->details->num_tasks, 1) : wanted->gres_per_job;
    vmall_visit_lines(count->partition, look_at, &most);
    const uint64_t on_one = most.on_one_node / of_each;
    if (on_one)
        count->nodes = MAX(count->nodes, (total + on_one - 1) / on_one);
    return 0;
}

uint32_t vmall_nodes_for_gres(const job_record_t *job, const part_record_t *partition) {
    struct count count = {job, partition, 1};
    if (job->gres_list_req)
        list_for_each_ro(job->gres_list_req, count_nodes, &count);
    return MIN(count.nodes, (uint64_t)node_record_count);
}
