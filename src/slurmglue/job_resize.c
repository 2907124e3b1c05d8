/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of steps in which a running job's cores change without any of slurmctld's books going
 * wrong.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/account_limits.h"
#include "slurmglue/job_resize.h"
#include "slurmglue/resize_usage.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/select.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

/* The job's core bitmap strings its nodes together: the bit of a node's first core. */
struct node_place {
    uint32_t node;
    bitoff_t first_core;
    uint32_t cores;
};

/* Fills in the job's nodes; `places` has room for nhosts. */
static void find_places(const job_resources_t *resources, struct node_place *places) {
    uint32_t found = 0;
    bitoff_t first_core = 0;
    for (bitoff_t i = 0; i < bit_size(resources->node_bitmap) && found < resources->nhosts; i++) {
        if (!bit_test(resources->node_bitmap, i))
            continue;
        const uint32_t cores = node_record_table_ptr[i]->tot_cores;
        places[found++] = (struct node_place){.node = i, .first_core = first_core, .cores = cores};
        first_core += cores;
    }
}

static int check_state(const job_record_t *record) {
    if (!record)
        return ESLURM_INVALID_JOB_ID;
    if (!IS_JOB_RUNNING(record) || IS_JOB_COMPLETING(record) || IS_JOB_CONFIGURING(record) ||
        !record->details || !record->job_resrcs || !record->job_resrcs->core_bitmap)
        return ESLURM_JOB_NOT_RUNNING;
    if (record->details->whole_node || record->job_resrcs->whole_node || record->het_job_id)
        return ESLURM_NOT_SUPPORTED;
    return SLURM_SUCCESS;
}

static int check_target(const struct node_place *places, uint32_t place_count,
                        const struct vmall_node_cores *target, uint32_t node_count) {
    if (node_count != place_count)
        return ESLURM_INVALID_NODE_NAME;
    for (uint32_t n = 0; n < node_count; n++) {
        if (target[n].node != places[n].node)
            return ESLURM_INVALID_NODE_NAME;
        if (!target[n].core_count)
            return ESLURM_INVALID_CORE_CNT;
        for (uint32_t c = 0; c < target[n].core_count; c++)
            if (target[n].cores[c] >= places[n].cores ||
                (c && target[n].cores[c] <= target[n].cores[c - 1]))
                return ESLURM_INVALID_CORE_CNT;
    }
    return SLURM_SUCCESS;
}

struct contest {
    const job_record_t *record;
    const struct vmall_node_cores *target;
    uint32_t node_count;
};

/* list_find: does this other job hold a core of the target? Completing jobs still do, suspended
 * ones do not. */
static int holds_a_core(void *other_record, void *key) {
    const job_record_t *other = other_record;
    const struct contest *contest = key;
    if (other == contest->record || !(IS_JOB_RUNNING(other) || IS_JOB_COMPLETING(other)) ||
        !other->job_resrcs || !other->job_resrcs->core_bitmap)
        return 0;
    struct node_place *places = xcalloc(other->job_resrcs->nhosts, sizeof(*places));
    find_places(other->job_resrcs, places);
    int found = 0;
    for (uint32_t p = 0; p < other->job_resrcs->nhosts && !found; p++)
        for (uint32_t n = 0; n < contest->node_count && !found; n++) {
            if (contest->target[n].node != places[p].node)
                continue;
            for (uint32_t c = 0; c < contest->target[n].core_count && !found; c++)
                found = bit_test(other->job_resrcs->core_bitmap,
                                 places[p].first_core + contest->target[n].cores[c]);
        }
    xfree(places);
    return found;
}

static uint16_t cpus_on(const struct node_place *place, const struct vmall_node_cores *target) {
    return target->core_count * node_record_table_ptr[place->node]->tpc;
}

static int check_limits(const job_record_t *record, const struct node_place *places,
                        const struct vmall_node_cores *target) {
    uint32_t cpus = 0;
    for (uint32_t n = 0; n < record->job_resrcs->nhosts; n++)
        cpus += cpus_on(&places[n], &target[n]);
    if (cpus <= record->total_cpus || vmall_limits_allow(record, cpus))
        return SLURM_SUCCESS;
    return ESLURM_ACCOUNTING_POLICY;
}

/* Steps that hold the whole allocation (the default srun) gave `cpus_used` all of the job's CPUs on
 * the node and give back what the job has when they end: both must change together. */
static void move_whole_steps(job_record_t *record, uint32_t place, uint32_t node, int delta) {
    step_record_t *step;
    ListIterator iterator = list_iterator_create(record->step_list);
    while ((step = list_next(iterator))) {
        if (!step->step_layout || !(step->flags & SSF_WHOLE) || !step->step_node_bitmap ||
            !bit_test(step->step_node_bitmap, node))
            continue;
        step->cpu_count += delta;
        if (!(step->flags & SSF_OVERLAP_FORCE))
            record->job_resrcs->cpus_used[place] += delta;
    }
    list_iterator_destroy(iterator);
}

static void set_cores(job_record_t *record, const struct node_place *places,
                      const struct vmall_node_cores *target) {
    job_resources_t *resources = record->job_resrcs;
    for (uint32_t n = 0; n < resources->nhosts; n++) {
        bit_nclear(resources->core_bitmap, places[n].first_core,
                   places[n].first_core + places[n].cores - 1);
        for (uint32_t c = 0; c < target[n].core_count; c++)
            bit_set(resources->core_bitmap, places[n].first_core + target[n].cores[c]);
        const uint16_t cpus = cpus_on(&places[n], &target[n]);
        if (record->step_list)
            move_whole_steps(record, n, places[n].node, (int)cpus - (int)resources->cpus[n]);
        resources->cpus[n] = cpus;
    }
    resources->ncpus = build_job_resources_cpu_array(resources);
    record->total_cpus = record->cpu_cnt = resources->ncpus;
}

/* Without this, running steps stay open in the accounting record of the old size. */
static void account_steps(job_record_t *record) {
    step_record_t *step;
    if (!record->step_list)
        return;
    ListIterator iterator = list_iterator_create(record->step_list);
    while ((step = list_next(iterator))) {
        if (step->state != JOB_RUNNING || !step->step_node_bitmap)
            continue;
        step_set_alloc_tres(step, bit_set_count(step->step_node_bitmap), false, true);
        jobacct_storage_g_step_start(acct_db_conn, step);
    }
    list_iterator_destroy(iterator);
}

int vmall_resize_job(uint32_t job_id, const struct vmall_node_cores *target, uint32_t node_count) {
    job_record_t *record = find_job_record(job_id);
    int rc = check_state(record);
    if (rc != SLURM_SUCCESS)
        return rc;
    struct node_place *places = xcalloc(record->job_resrcs->nhosts, sizeof(*places));
    find_places(record->job_resrcs, places);
    rc = check_target(places, record->job_resrcs->nhosts, target, node_count);
    struct contest contest = {record, target, node_count};
    if (rc == SLURM_SUCCESS && list_find_first(job_list, holds_a_core, &contest))
        rc = ESLURM_NODES_BUSY;
    if (rc == SLURM_SUCCESS)
        rc = check_limits(record, places, target);
    if (rc == SLURM_SUCCESS) {
        struct vmall_usage *usage = vmall_usage_before(record);
        job_pre_resize_acctg(record);
        vmall_usage_between(record, usage);
        /* "Indefinitely suspended" makes cons_tres forget the job's cores but keep its memory. */
        select_g_job_suspend(record, true);
        set_cores(record, places, target);
        select_g_job_resume(record, true);
        job_post_resize_acctg(record);
        vmall_usage_after(record, usage);
        account_steps(record);
        last_job_update = last_node_update = time(NULL);
        select_g_select_nodeinfo_set_all();
        queue_job_scheduler();
    }
    xfree(places);
    return rc;
}
