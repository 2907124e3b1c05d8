/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which nodes a waiting job could start on now if all their cores were free. Called under
 * vmall_lock_to_act(): a reservation that is asked about may move on to its next time.
 */
#ifndef VMALL_GLUE_JOB_NODES_H
#define VMALL_GLUE_JOB_NODES_H

#include "slurmglue/internal/releases.h"

#include "src/common/bitstring.h"
#include "src/slurmctld/slurmctld.h"

#include <stdbool.h>

/* Makes the partition the one that the job would start in, as Slurm's own schedulers do before they
 * test it. */
void vmall_consider_partition(job_record_t *job, part_record_t *partition);

/* Whether a job that gives both partitions can start in `other`, too, without getting whole nodes
 * in one of them only. */
bool vmall_is_alternative(const part_record_t *other, const part_record_t *first);

/* False: limits, licences or the maximum of running elements of its array keep the job from
 * starting, however many cores are free. Slurm's own schedulers pass such a job over and set its
 * reason; so must we. */
bool vmall_waits_for_cores(job_record_t *job);

/* Up nodes of the job's partitions that it has access to, that have its features and memory, and
 * that no advanced reservation needs before the job would end. NULL: none. The caller frees it. */
bitstr_t *vmall_eligible_nodes(job_record_t *job, part_record_t *first);

#endif
