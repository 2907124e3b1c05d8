/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Requests that do not say how tasks are to be spread over nodes.
 */
#ifndef VMALL_GLUE_OPEN_SPREAD_H
#define VMALL_GLUE_OPEN_SPREAD_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

/* Whether any nodes with room for a task will do, and any number of tasks on each. Never since
 * 25.05, where steps that start while the job is folded cannot be told. */
bool vmall_leaves_spread_open(const job_record_t *job);

#endif
