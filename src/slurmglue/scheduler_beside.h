/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A second scheduler plugin, loaded beside the one that slurm.conf names: Slurm's own
 * sched/backfill, which goes on scheduling the jobs that did not ask.
 */
#ifndef VMALL_GLUE_SCHEDULER_BESIDE_H
#define VMALL_GLUE_SCHEDULER_BESIDE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it, by its type, like "sched/backfill". False: it cannot be loaded, or refuses to start;
 * the log says why. One at a time. */
bool vmall_load_scheduler(const char *type);

/* Lets it read SchedulerParameters again. No-op if none is loaded, like the next. */
void vmall_reconfigure_scheduler(void);

/* Ends its thread. */
void vmall_unload_scheduler(void);

#ifdef __cplusplus
}
#endif

#endif
