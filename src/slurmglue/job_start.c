/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Moldable and folded starts through Slurm's own select_nodes().
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/job_start.h"

#include "src/common/bitstring.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/srun_comm.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

#include <stdio.h>

/* The part of a request that a shape overrides while Slurm selects cores. */
struct request {
    uint32_t num_tasks, min_nodes, max_nodes, min_cpus, orig_min_cpus, max_cpus, orig_max_cpus,
        pn_min_cpus, orig_pn_min_cpus;
    uint16_t cpus_per_task, ntasks_per_node;
    uint8_t overcommit;
};

static struct request save(const struct job_details *d) {
    return (struct request){d->num_tasks,     d->min_nodes,       d->max_nodes,
                            d->min_cpus,      d->orig_min_cpus,   d->max_cpus,
                            d->orig_max_cpus, d->pn_min_cpus,     d->orig_pn_min_cpus,
                            d->cpus_per_task, d->ntasks_per_node, d->overcommit};
}

static void apply(struct job_details *d, const struct request *r) {
    d->num_tasks = r->num_tasks;
    d->min_nodes = r->min_nodes;
    d->max_nodes = r->max_nodes;
    d->min_cpus = r->min_cpus;
    d->orig_min_cpus = r->orig_min_cpus;
    d->max_cpus = r->max_cpus;
    d->orig_max_cpus = r->orig_max_cpus;
    d->pn_min_cpus = r->pn_min_cpus;
    d->orig_pn_min_cpus = r->orig_pn_min_cpus;
    d->cpus_per_task = r->cpus_per_task;
    d->ntasks_per_node = r->ntasks_per_node;
    d->overcommit = r->overcommit;
}

/* As if each core were one task: with overcommit set, cons_tres would take a single core per node.
 */
static struct request one_task_per_core(const struct job_details *d,
                                        const struct vmall_shape *shape,
                                        uint32_t threads_per_core) {
    const uint32_t cpus_per_node = shape->cores_per_node * threads_per_core;
    struct request r = save(d);
    r.min_nodes = r.max_nodes = shape->nodes;
    r.num_tasks = shape->nodes * shape->cores_per_node;
    r.ntasks_per_node = shape->cores_per_node;
    r.cpus_per_task = threads_per_core;
    r.pn_min_cpus = r.orig_pn_min_cpus = cpus_per_node;
    r.min_cpus = r.orig_min_cpus = r.max_cpus = r.orig_max_cpus = shape->nodes * cpus_per_node;
    r.overcommit = 0;
    return r;
}

/* What runs: the processes, as many per node as there are, whatever the cores. */
static struct request as_it_runs(const struct request *asked, const struct request *selected,
                                 const struct vmall_shape *shape) {
    struct request r = *selected;
    r.num_tasks = shape->tasks;
    r.cpus_per_task = asked->cpus_per_task;
    if (asked->ntasks_per_node)
        r.ntasks_per_node = (shape->tasks + shape->nodes - 1) / shape->nodes;
    else
        r.ntasks_per_node = 0;
    r.overcommit = 1; /* a step that starts after a fold has more tasks than CPUs */
    return r;
}

/* Sets a variable of the job's supplemental environment, which overrides sbatch's. */
static void set_environment(struct job_details *d, const char *name, uint32_t value) {
    const size_t length = strlen(name);
    char *entry = NULL;
    xstrfmtcat(entry, "%s=%u", name, value);
    for (uint16_t i = 0; i < d->env_cnt; i++)
        if (!strncmp(d->env_sup[i], name, length) && d->env_sup[i][length] == '=') {
            xfree(d->env_sup[i]);
            d->env_sup[i] = entry;
            return;
        }
    xrealloc(d->env_sup, sizeof(char *) * (d->env_cnt + 1));
    d->env_sup[d->env_cnt++] = entry;
}

static void tell_the_job(struct job_details *d, const struct request *runs) {
    set_environment(d, "SLURM_NTASKS", runs->num_tasks);
    set_environment(d, "SLURM_NPROCS", runs->num_tasks);
    if (runs->ntasks_per_node) /* sbatch exports it only for a user who gave it */
        set_environment(d, "SLURM_NTASKS_PER_NODE", runs->ntasks_per_node);
    set_environment(d, "SLURM_OVERCOMMIT", 1);
}

/* Threads per core of the partition's nodes; a shape is in cores, a request in CPUs. */
static uint32_t threads_per_core(const part_record_t *partition) {
    const bitoff_t first = bit_ffs(partition->node_bitmap);
    return first < 0 ? 1 : node_record_table_ptr[first]->tpc;
}

/* What Slurm's schedulers test before they try: an account, a QOS or a licence may have gone
 * meanwhile. */
static int may_start(job_record_t *record) {
    if (!job_independent(record))
        return ESLURM_DEPENDENCY;
    if (job_limits_check(&record, true) != WAIT_NO_REASON)
        return ESLURM_ACCOUNTING_POLICY;
    if (record->array_recs && !job_array_start_test(record))
        return ESLURM_NODES_BUSY;
    if (!acct_policy_job_runnable_state(record) &&
        !acct_policy_job_runnable_pre_select(record, false))
        return ESLURM_ACCOUNTING_POLICY;
    if (license_job_test(record, time(NULL), true) != SLURM_SUCCESS)
        return ESLURM_NODES_BUSY;
    return SLURM_SUCCESS;
}

static void launch(job_record_t *record) {
    last_job_update = time(NULL);
    if (!record->batch_flag)
        srun_allocate(record);
    else if (!IS_JOB_CONFIGURING(record))
        launch_job(record);
    rebuild_job_part_list(record);
}

/* Narrows the nodes by the job's own list of excluded ones, as sched/backfill does. Returns the
 * list to put back afterwards. */
static bitstr_t *exclude_all_but(struct job_details *d, const struct vmall_start *start) {
    bitstr_t *asked = d->exc_node_bitmap;
    bitstr_t *excluded = bit_alloc(node_record_count);
    bit_set_all(excluded);
    for (uint32_t i = 0; i < start->only_node_count; i++)
        if (start->only_nodes[i] < (uint32_t)node_record_count)
            bit_clear(excluded, start->only_nodes[i]);
    if (asked)
        bit_or(excluded, asked);
    d->exc_node_bitmap = excluded;
    return asked;
}

static int select_on_nodes(job_record_t *record, const struct vmall_start *start) {
    const uint32_t by = start->backfilled ? SLURMDB_JOB_FLAG_BACKFILL : SLURMDB_JOB_FLAG_SCHED;
    if (!start->only_node_count)
        return select_nodes(record, false, NULL, NULL, false, by);
    bitstr_t *asked = exclude_all_but(record->details, start);
    const int rc = select_nodes(record, false, NULL, NULL, false, by);
    FREE_NULL_BITMAP(record->details->exc_node_bitmap);
    record->details->exc_node_bitmap = asked;
    return rc;
}

int vmall_start_job(const struct vmall_start *start) {
    job_record_t *record = find_job_record(start->job_id);
    part_record_t *partition = find_part_record((char *)start->partition);
    if (!record || !record->details || !IS_JOB_PENDING(record))
        return ESLURM_JOB_NOT_PENDING;
    if (!partition)
        return ESLURM_INVALID_PARTITION_NAME;
    record->part_ptr = partition;
    record->details->features_use = record->details->features;
    record->details->feature_list_use = record->details->feature_list;
    int rc = may_start(record);
    if (rc != SLURM_SUCCESS)
        return rc;

    const struct request asked = save(record->details);
    struct request selected = asked;
    if (start->shape) {
        selected = one_task_per_core(record->details, start->shape, threads_per_core(partition));
        apply(record->details, &selected);
        record->bit_flags |= JOB_NTASKS_SET;
    }
    rc = select_on_nodes(record, start);
    if (rc != SLURM_SUCCESS) {
        apply(record->details, &asked);
        return rc;
    }
    if (start->shape) {
        const struct request runs = as_it_runs(&asked, &selected, start->shape);
        apply(record->details, &runs);
        tell_the_job(record->details, &runs);
    }
    launch(record);
    return SLURM_SUCCESS;
}

int vmall_requeue_job(uint32_t job_id) {
    return job_requeue(0, job_id, NULL, false, 0);
}
