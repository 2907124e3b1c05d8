/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts as select/cons_tres does: all CPUs of the cores that are taken.
 */
#include "slurmglue/internal/partition_limit.h"

#include "src/common/list.h"
#include "src/common/node_conf.h"

struct count {
    const job_record_t *record;
    uint32_t node;
    uint32_t cores; /* of other jobs of the partition on this node */
};

static uint32_t cores_at(const job_resources_t *resources, const struct vmall_node_slice *slice) {
    return bit_set_count_range(resources->core_bitmap, slice->first_core,
                               slice->first_core + slice->cores);
}

static void add_here(const job_resources_t *resources, const struct vmall_node_slice *slice,
                     void *context) {
    struct count *count = context;
    if (slice->node == count->node)
        count->cores += cores_at(resources, slice);
}

/* Suspended jobs have no cores. */
static int add_job(void *other_record, void *context) {
    const job_record_t *other = other_record;
    struct count *count = context;
    if (other != count->record && other->part_ptr == count->record->part_ptr &&
        (IS_JOB_RUNNING(other) || IS_JOB_COMPLETING(other)) && other->job_resrcs &&
        other->job_resrcs->core_bitmap)
        vmall_visit_slices(other->job_resrcs, add_here, count);
    return 0;
}

bool vmall_partition_allows(const job_record_t *record, const struct vmall_node_slice *slices,
                            const struct vmall_node_cores *target) {
    if (!record->part_ptr || record->part_ptr->max_cpus_per_node == INFINITE)
        return true;
    for (uint32_t n = 0; n < record->job_resrcs->nhosts; n++) {
        if (target[n].core_count <= cores_at(record->job_resrcs, &slices[n]))
            continue;
        struct count count = {record, slices[n].node, 0};
        list_for_each(job_list, add_job, &count);
        const uint32_t cpus =
            (count.cores + target[n].core_count) * node_record_table_ptr[slices[n].node]->tpc;
        if (cpus > record->part_ptr->max_cpus_per_node)
            return false;
    }
    return true;
}
