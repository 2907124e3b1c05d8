/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cores that somebody has stay out of it: cons_tres knows them.
 */
#include "slurmglue/internal/core_limits.h"

#include "slurmglue/internal/candidates.h"

#include "src/common/bitstring.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

/* Programs with libslurm load select/cons_tres_vmall, too, and have neither. */
#pragma weak node_record_count
#pragma weak node_record_table_ptr

/* Of a node, those that are free and not excluded, beyond the first so many. */
static bitstr_t *beyond(const struct vmall_core_limit *limit, bitstr_t *excluded) {
    bitstr_t *cores = vmall_free_cores(limit->node);
    if (excluded)
        bit_and_not(cores, excluded);
    bitoff_t core = bit_ffs(cores);
    for (uint32_t kept = 0; kept < limit->cores && core >= 0; kept++, core = bit_ffs(cores))
        bit_clear(cores, core);
    return cores;
}

#if SINCE(23, 11)

/* The nodes' own bitmaps are all copies. */
vmall_excluded *vmall_exclude_beyond(vmall_excluded *excluded,
                                     const struct vmall_core_limit *limits, uint32_t count) {
    vmall_excluded *all = xmalloc(sizeof(*all));
    if (excluded)
        *all = *excluded;
    bitstr_t **before = all->exc_cores;
    all->exc_cores = xcalloc(node_record_count, sizeof(*all->exc_cores));
    for (int node = 0; before && node < node_record_count; node++)
        all->exc_cores[node] = before[node] ? bit_copy(before[node]) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        bitstr_t **here = &all->exc_cores[limits[i].node];
        bitstr_t *more = beyond(&limits[i], *here);
        if (*here)
            bit_or(more, *here);
        FREE_NULL_BITMAP(*here);
        *here = more;
    }
    return all;
}

void vmall_free_excluded(vmall_excluded *excluded) {
    for (int node = 0; node < node_record_count; node++)
        FREE_NULL_BITMAP(excluded->exc_cores[node]);
    xfree(excluded->exc_cores);
    xfree(excluded);
}

#else

static bitstr_t *part(bitstr_t *all, uint32_t first, uint32_t count) {
    bitstr_t *some = bit_alloc(count);
    for (uint32_t core = 0; core < count; core++)
        if (bit_test(all, first + core))
            bit_set(some, core);
    return some;
}

/* The nodes are strung together. */
vmall_excluded *vmall_exclude_beyond(vmall_excluded *excluded,
                                     const struct vmall_core_limit *limits, uint32_t count) {
    bitstr_t *all =
        excluded ? bit_copy(excluded) : bit_alloc(cr_get_coremap_offset(node_record_count));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = cr_get_coremap_offset(limits[i].node);
        const uint32_t cores = node_record_table_ptr[limits[i].node]->tot_cores;
        bitstr_t *here = part(all, first, cores);
        bitstr_t *more = beyond(&limits[i], here);
        for (uint32_t core = 0; core < cores; core++)
            if (bit_test(more, core))
                bit_set(all, first + core);
        bit_free(here);
        bit_free(more);
    }
    return all;
}

void vmall_free_excluded(vmall_excluded *excluded) {
    bit_free(excluded);
}

#endif
