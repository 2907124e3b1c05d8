/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Requests that a start with a shape (job_start.h) does not change.
 */
#ifndef VMALL_GLUE_EVEN_REQUEST_H
#define VMALL_GLUE_EVEN_REQUEST_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

/* Whether the waiting job, which has not asked us for anything, gets in the partition what it would
 * get from Slurm's own schedulers: as many CPUs for each of its tasks, which fill whole cores of
 * the partition's nodes, as many tasks on each of its nodes, and nothing that ties tasks to
 * sockets. */
bool vmall_is_even(const job_record_t *job, const part_record_t *partition);

#endif
