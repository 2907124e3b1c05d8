/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compares sizes: of variables by their symbols, of records by what was allocated for them.
 */
#define _GNU_SOURCE /* dladdr1() */
#include "slurmglue/internal/releases.h"

#include "slurmglue/layout.h"

#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>

/* select/cons_tres_vmall is loaded by commands, too, which have none of them, and by programs with
 * libslurm.
 */
#pragma weak node_record_table_ptr
#pragma weak slurmctld_config
#pragma weak part_list
#pragma weak job_list

#define OTHER(record)                                                                              \
    record " of this Slurm is laid out otherwise than in the source tree that slurm-vmall was "    \
           "built with: run contrib/slurm-source for exactly the Slurm that is installed, and "    \
           "build slurm-vmall again"

static bool is_variable_of(const void *variable, size_t expected) {
    Dl_info library;
    const ElfW(Sym) *symbol = NULL;
    /* Stripped of its size it may be anything. */
    return !variable || !dladdr1(variable, &library, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
           !symbol->st_size || symbol->st_size == expected;
}

static bool is_record_of(void *record, size_t expected) {
    return !record || xsize(record) == expected;
}

static void *first_node(void) {
    int at = 0;
    return node_record_table_ptr ? next_node(&at) : NULL;
}

static void *first_of(list_t *const *list) {
    return list && *list ? list_peek(*list) : NULL;
}

const char *vmall_other_layout(void) {
    if (!is_variable_of(&slurm_conf, sizeof(slurm_conf)))
        return OTHER("slurm_conf_t");
    if (!is_variable_of(&slurmctld_config, sizeof(slurmctld_config)))
        return OTHER("slurmctld_config_t");
    if (!is_record_of(first_node(), sizeof(node_record_t)))
        return OTHER("node_record_t");
    if (!is_record_of(first_of(&part_list), sizeof(part_record_t)))
        return OTHER("part_record_t");
    if (!is_record_of(first_of(&job_list), sizeof(job_record_t)))
        return OTHER("job_record_t");
    return NULL;
}
