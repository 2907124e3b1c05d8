/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A shape is in cores; a request in tasks and CPUs.
 */
#include "slurmglue/internal/job_shape.h"

#include "slurmglue/internal/task_layout.h"

#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

static uint32_t said_or_1(uint16_t number) {
    return number && number != NO_VAL16 ? number : 1;
}

/* Slurm divides the CPUs that memory of a node brings by the tasks that it was told of at first;
 * those that memory of each CPU brings are each task's. */
uint32_t vmall_cpus_per_task(const job_details_t *d) {
    return said_or_1(d->pn_min_memory & MEM_PER_CPU ? d->cpus_per_task : d->orig_cpus_per_task);
}

struct vmall_request vmall_save_request(const job_details_t *d) {
    return (struct vmall_request){d->num_tasks,     d->min_nodes,          d->max_nodes,
                                  d->min_cpus,      d->orig_min_cpus,      d->max_cpus,
                                  d->orig_max_cpus, d->pn_min_cpus,        d->orig_pn_min_cpus,
                                  d->cpus_per_task, d->ntasks_per_node,    d->overcommit,
                                  d->pn_min_memory, vmall_cpus_per_task(d)};
}

void vmall_apply_request(job_details_t *d, const struct vmall_request *r) {
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
    d->pn_min_memory = r->pn_min_memory;
}

uint32_t vmall_tasks_per_node(const job_details_t *d) {
    return d->ntasks_per_node != NO_VAL16 ? d->ntasks_per_node : 0;
}

uint32_t vmall_cpus_of_node_tasks(const job_details_t *d) {
    return vmall_cpus_per_task(d) * said_or_1(d->ntasks_per_node);
}

uint32_t vmall_fewest_nodes(const job_details_t *d) {
    const uint32_t asked = MAX(d->min_nodes, 1), tasks = MAX(d->num_tasks, 1);
    const uint32_t on_one = vmall_tasks_per_node(d);
    return on_one ? MAX(asked, (tasks + on_one - 1) / on_one) : asked;
}

uint32_t vmall_threads_per_core(const job_details_t *d) {
    const uint16_t asked = d->mc_ptr ? d->mc_ptr->threads_per_core : NO_VAL16;
    return asked < NO_VAL16 ? asked : 0;
}

uint32_t vmall_cpus_per_core(const job_details_t *d, const node_record_t *node) {
    const uint32_t asked = vmall_threads_per_core(d);
    return asked && asked < node->tpc ? asked : node->tpc;
}

/* What is asked for each CPU goes by the processes: of a job that starts folded, all of them. */
static uint64_t memory(const job_details_t *d, const struct vmall_shape *shape, uint32_t per_core) {
    const uint32_t processes_per_node = (shape->tasks + shape->nodes - 1) / shape->nodes;
    const uint32_t cores_per_task = (shape->cpus_per_task + per_core - 1) / per_core;
    const uint64_t cores = (uint64_t)processes_per_node * cores_per_task;
    if (!(d->pn_min_memory & MEM_PER_CPU) || cores <= shape->cores_per_node)
        return d->pn_min_memory;
    return (d->pn_min_memory & ~MEM_PER_CPU) * cores * per_core;
}

/* Any spread: of what is asked for each CPU so much more as processes share one. */
static uint64_t memory_by_mpl(const job_details_t *d, const struct vmall_shape *shape) {
    const uint64_t asked = d->pn_min_memory;
    return asked & MEM_PER_CPU ? ((asked & ~MEM_PER_CPU) * shape->mpl) | MEM_PER_CPU : asked;
}

static struct vmall_request any_spread(const job_details_t *d, const struct vmall_shape *shape,
                                       uint32_t per_core) {
    struct vmall_request r = vmall_save_request(d);
    r.min_nodes = shape->nodes;
    r.max_nodes = shape->tasks_on ? shape->nodes : 0;
    r.num_tasks = shape->cores;
    r.ntasks_per_node = 0;
    r.cpus_per_task = per_core;
    r.pn_min_cpus = r.orig_pn_min_cpus = per_core;
    r.min_cpus = r.orig_min_cpus = r.max_cpus = r.orig_max_cpus = shape->cores * per_core;
    r.pn_min_memory = memory_by_mpl(d, shape);
    r.overcommit = 0; /* as below */
    return r;
}

struct vmall_request vmall_shaped_request(const job_details_t *d, const struct vmall_shape *shape,
                                          const node_record_t *node) {
    const uint32_t per_core = vmall_cpus_per_core(d, node);
    if (shape->cores)
        return any_spread(d, shape, per_core);
    const uint32_t cpus_per_node = shape->cores_per_node * per_core;
    struct vmall_request r = vmall_save_request(d);
    r.min_nodes = r.max_nodes = shape->nodes;
    r.num_tasks = shape->nodes * shape->cores_per_node;
    r.ntasks_per_node = shape->cores_per_node;
    r.cpus_per_task = per_core;
    r.pn_min_cpus = r.orig_pn_min_cpus = cpus_per_node;
    r.min_cpus = r.orig_min_cpus = r.max_cpus = r.orig_max_cpus = shape->nodes * cpus_per_node;
    r.pn_min_memory = memory(d, shape, per_core);
    /* With overcommit set, cons_tres would take a single core per node. */
    r.overcommit = 0;
    return r;
}

struct vmall_request vmall_running_request(const struct vmall_request *asked,
                                           const struct vmall_request *shaped,
                                           const struct vmall_shape *shape) {
    struct vmall_request r = *shaped;
    r.num_tasks = shape->tasks;
    r.cpus_per_task = asked->of_task;
    r.pn_min_memory = asked->pn_min_memory;
    if (asked->ntasks_per_node)
        r.ntasks_per_node = (shape->tasks + shape->nodes - 1) / shape->nodes;
    else
        r.ntasks_per_node = 0;
    r.pn_min_cpus = r.orig_pn_min_cpus =
        MIN(asked->orig_pn_min_cpus, said_or_1(r.cpus_per_task) * said_or_1(r.ntasks_per_node));
    r.overcommit = 1; /* a step that starts after a fold has more tasks than CPUs */
    return r;
}

void vmall_set_environment(job_details_t *d, const char *name, uint32_t value) {
    char text[sizeof("4294967295")];
    snprintf(text, sizeof(text), "%u", value);
    vmall_set_environment_text(d, name, text);
}

void vmall_unset_environment(job_details_t *d, const char *name) {
    const size_t length = strlen(name);
    uint16_t left = 0;
    for (uint16_t i = 0; i < d->env_cnt; i++)
        if (!strncmp(d->env_sup[i], name, length) && d->env_sup[i][length] == '=')
            xfree(d->env_sup[i]);
        else
            d->env_sup[left++] = d->env_sup[i];
    for (uint16_t i = left; i < d->env_cnt; i++)
        d->env_sup[i] = NULL;
    d->env_cnt = left;
}

void vmall_set_environment_text(job_details_t *d, const char *name, const char *value) {
    const size_t length = strlen(name);
    char *entry = NULL;
    xstrfmtcat(entry, "%s=%s", name, value);
    for (uint16_t i = 0; i < d->env_cnt; i++)
        if (!strncmp(d->env_sup[i], name, length) && d->env_sup[i][length] == '=') {
            xfree(d->env_sup[i]);
            d->env_sup[i] = entry;
            return;
        }
    xrealloc(d->env_sup, sizeof(char *) * (d->env_cnt + 1));
    d->env_sup[d->env_cnt++] = entry;
}

void vmall_tell_the_job(job_details_t *d, const struct vmall_request *runs,
                        const struct vmall_shape *shape) {
    vmall_set_environment(d, "SLURM_NTASKS", runs->num_tasks);
    vmall_set_environment(d, "SLURM_NPROCS", runs->num_tasks);
    if (runs->ntasks_per_node) /* sbatch exports it only for a user who gave it */
        vmall_set_environment(d, "SLURM_NTASKS_PER_NODE", runs->ntasks_per_node);
    vmall_set_environment(d, "SLURM_OVERCOMMIT", 1);
    if (shape->tasks_on)
        vmall_note_task_layout(d, shape->tasks_on, shape->nodes);
    else
        vmall_clear_task_layout(d);
}
