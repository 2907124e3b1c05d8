/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by select/cons_tres' own records of who has which cores.
 */
#define _GNU_SOURCE /* dladdr() */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/candidates.h"
#include "slurmglue/internal/own_plugin.h"

#include "src/common/bitstring.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xstring.h"
#include SLURM_PART_DATA_H
#include SLURM_TOPOLOGY_H

#include <dlfcn.h>

/* Programs with libslurm load select/cons_tres_vmall, too, and have neither. */
#pragma weak config_list
#pragma weak node_record_table_ptr

/* As many times as a job needs: Slurm likes nodes that lie side by side. */
static const uint32_t places_to_choose_among = 4;

/* The plugin's variable. */
static part_res_record_t *const *partitions;

void vmall_know_candidates(const void *function) {
    Dl_info library;
    void *handle =
        dladdr(function, &library) ? dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    partitions = handle ? dlsym(handle, "select_part_record") : NULL;
    if (handle)
        dlclose(handle); /* it stays loaded by whoever has the function */
    if (!partitions)
        error("%s: select/cons_tres has no select_part_record: starts take longer", plugin_type);
}

/* Where it has no use for cores that somebody has. */
static bool wants_free_cores(const job_record_t *job) {
    const uint16_t shares = job->part_ptr->max_share;
    const bool shared = (shares & SHARED_FORCE) || (shares > 1 && job->details->share_res == 1);
    return (slurm_conf.select_type_param & (CR_CPU | CR_CORE | CR_SOCKET)) && !shared &&
           !(slurm_conf.preempt_mode & PREEMPT_MODE_GANG);
}

/* Rows that still show jobs that have left would hide free cores. */
static bool rows_are_current(void) {
    for (const part_res_record_t *partition = *partitions; partition; partition = partition->next)
        if (!vmall_rows_are_current(partition))
            return false;
    return true;
}

static int free_cores(bitoff_t node) {
    bitstr_t *first = NULL, *all = NULL; /* the latter if jobs of several partitions are there */
    for (const part_res_record_t *partition = *partitions; partition; partition = partition->next)
        for (uint16_t r = 0; partition->row && r < partition->num_rows; r++) {
            bitstr_t *const *taken = partition->row[r].row_bitmap;
            if (!taken || !taken[node])
                continue;
            if (!first) {
                first = taken[node];
                continue;
            }
            if (!all)
                all = bit_copy(first);
            bit_or(all, taken[node]);
        }
    const int taken = first ? bit_set_count(all ? all : first) : 0;
    FREE_NULL_BITMAP(all);
    return node_record_table_ptr[node]->tot_cores - taken;
}

bitstr_t *vmall_free_cores(uint32_t node) {
    bitstr_t *cores = bit_alloc(node_record_table_ptr[node]->tot_cores);
    bit_set_all(cores);
    if (node_record_table_ptr[node]->node_spec_bitmap)
        bit_and(cores, node_record_table_ptr[node]->node_spec_bitmap);
    const part_res_record_t *partition = partitions ? *partitions : NULL;
    for (; partition; partition = partition->next)
        for (uint16_t r = 0; partition->row && r < partition->num_rows; r++)
            if (partition->row[r].row_bitmap && partition->row[r].row_bitmap[node])
                bit_and_not(cores, partition->row[r].row_bitmap[node]);
    return cores;
}

void vmall_leave_out_full_nodes(const job_record_t *job, bitstr_t *nodes) {
    if (!partitions || !rows_are_current() || !wants_free_cores(job))
        return;
    const bitoff_t last = bit_fls(nodes);
    for (bitoff_t node = bit_ffs(nodes); node >= 0 && node <= last; node++)
        if (bit_test(nodes, node) && free_cores(node) <= 0)
            bit_clear(nodes, node);
}

/* list_find */
static int weighs_otherwise(void *config, void *weight) {
    return ((const config_record_t *)config)->weight != *(const uint32_t *)weight;
}

static bool any_nodes_will_do(const job_record_t *job) {
    const config_record_t *some = list_peek(config_list);
    return vmall_has_no_topology(job->part_ptr) && !(slurm_conf.select_type_param & CR_LLN) &&
           !(job->part_ptr->flags & PART_FLAG_LLN) && !(job->bit_flags & SPREAD_JOB) && some &&
           !list_find_first_ro(config_list, weighs_otherwise, (void *)&some->weight);
}

static uint32_t free_cpus(bitoff_t node) {
    const int cores = free_cores(node);
    return cores > 0 ? (uint32_t)cores * node_record_table_ptr[node]->tpc : 0;
}

bitstr_t *vmall_few_candidates(const job_record_t *job, bitstr_t *nodes, uint32_t wanted) {
    const job_details_t *details = job->details;
    const uint64_t enough_nodes = (uint64_t)places_to_choose_among * wanted,
                   enough_cpus = (uint64_t)places_to_choose_among * details->min_cpus;
    if (!partitions || !rows_are_current() || !wants_free_cores(job) || !any_nodes_will_do(job) ||
        (uint64_t)bit_set_count(nodes) <= enough_nodes)
        return NULL;
    bitstr_t *few = bit_alloc(bit_size(nodes));
    uint64_t found = 0, cpus = 0;
    const bitoff_t last = bit_fls(nodes);
    for (bitoff_t node = bit_ffs(nodes);
         node >= 0 && node <= last && (found < enough_nodes || cpus < enough_cpus); node++) {
        const uint32_t here = bit_test(nodes, node) ? free_cpus(node) : 0;
        if (!here || here < details->pn_min_cpus)
            continue;
        bit_set(few, node);
        found++;
        cpus += here;
    }
    return few;
}
