/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads sched/backfill as Slurm would.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/stock_backfill.h"

#include "src/common/plugin.h"

/* As in slurmctld's sched_plugin.c, which keeps them to itself. */
static struct { int (*reconfigure)(void); } backfill;
static const char *symbols[] = {"sched_p_reconfig"};

static plugin_context_t *context;

bool vmall_load_backfill(void) {
    context = plugin_context_create("sched", "sched/backfill", (void **)&backfill, symbols,
                                    sizeof(symbols));
    return context;
}

void vmall_reconfigure_backfill(void) {
    backfill.reconfigure();
}

void vmall_unload_backfill(void) {
    if (context)
        plugin_context_destroy(context);
    context = NULL;
}
