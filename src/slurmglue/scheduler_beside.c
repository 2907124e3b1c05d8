/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads a scheduler plugin as Slurm would.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/scheduler_beside.h"

#include "src/common/plugin.h"

/* As in slurmctld's sched_plugin.c, which keeps them to itself. */
static struct { int (*reconfigure)(void); } scheduler;
static const char *symbols[] = {"sched_p_reconfig"};

static plugin_context_t *context;

bool vmall_load_scheduler(const char *type) {
    context = plugin_context_create("sched", type, (void **)&scheduler, symbols, sizeof(symbols));
    return context;
}

void vmall_reconfigure_scheduler(void) {
    if (context)
        scheduler.reconfigure();
}

void vmall_unload_scheduler(void) {
    if (context)
        plugin_context_destroy(context);
    context = NULL;
}
