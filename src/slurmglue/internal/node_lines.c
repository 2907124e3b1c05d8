/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps a record of each line, with a bitmap of its nodes.
 */
#include "slurmglue/internal/node_lines.h"

#include "src/common/list.h"

/* Programs with libslurm load select/cons_tres_vmall, too, and have neither. */
#pragma weak config_list
#pragma weak node_record_table_ptr

const node_record_t *vmall_first_node(const bitstr_t *nodes) {
    const bitoff_t first = nodes ? bit_ffs((bitstr_t *)nodes) : -1;
    return first >= 0 ? node_record_table_ptr[first] : NULL;
}

struct visit {
    const part_record_t *partition;
    bool (*visit)(const node_record_t *node, void *context);
    void *context;
};

/* list_find */
static int visit_line(void *config_record, void *context) {
    const config_record_t *line = config_record;
    const struct visit *to = context;
    if (!line->node_bitmap || !bit_overlap_any(line->node_bitmap, to->partition->node_bitmap))
        return 0;
    bitstr_t *of_both = bit_copy(line->node_bitmap);
    bit_and(of_both, to->partition->node_bitmap);
    const bool done = to->visit(vmall_first_node(of_both), to->context);
    bit_free(of_both);
    return done;
}

bool vmall_visit_lines(const part_record_t *partition,
                       bool (*visit)(const node_record_t *node, void *context), void *context) {
    struct visit to = {partition, visit, context};
    return partition->node_bitmap && list_find_first_ro(config_list, visit_line, &to);
}
