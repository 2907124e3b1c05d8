/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's own sched/backfill, loaded beside the plugin that stands in its place: it goes on
 * scheduling the jobs that did not ask, with all SchedulerParameters.
 */
#ifndef VMALL_GLUE_STOCK_BACKFILL_H
#define VMALL_GLUE_STOCK_BACKFILL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts its thread. False: it cannot be loaded; Slurm has logged why. */
bool vmall_load_backfill(void);

/* Lets it read SchedulerParameters again. */
void vmall_reconfigure_backfill(void);

/* Ends its thread. No-op if it is not loaded. */
void vmall_unload_backfill(void);

#ifdef __cplusplus
}
#endif

#endif
