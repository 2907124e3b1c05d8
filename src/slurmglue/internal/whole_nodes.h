/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs that take whole nodes of a partition with OverSubscribe=EXCLUSIVE, started so that they can
 * lend cores of them. Slurm then knows such a job as one that has each of its nodes' cores, and not
 * as the owner of nodes: a job that does want whole nodes is kept off, now and in its plans, for
 * cores of them are taken.
 */
#ifndef VMALL_GLUE_WHOLE_NODES_H
#define VMALL_GLUE_WHOLE_NODES_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/applicant.h"

#include "src/slurmctld/slurmctld.h"

/* --exclusive, or the partition's OverSubscribe=EXCLUSIVE. `partition` may be NULL. */
bool vmall_takes_whole_nodes(const job_record_t *job, const part_record_t *partition);

/* Of one that does: why it cannot lend cores of them, for people; NULL: it can. A job that does not
 * wait can if it was started so. */
const char *vmall_keeps_whole_nodes(const job_record_t *job, const part_record_t *partition);

/* Of a job that waits: why it would be another kind of job in `other` than in the partition of its
 * record, or cannot lend cores there, for people; NULL: it is the same in both, or lends in
 * neither. */
const char *vmall_differs_in(const job_record_t *job, const part_record_t *other);

bool vmall_was_started_to_lend(const job_record_t *job);

/* The fields that are about a node; of a job that can. */
void vmall_fill_node(struct vmall_applicant *applicant, const job_record_t *job);

/* What a start changes, so that Slurm selects cores of a partition that gives out whole nodes. */
struct vmall_whole_request {
    part_record_t *partition;
    uint16_t max_share;
    uint8_t whole_node, share_res;
};
/* Under a lock to change partitions, and the partition closed again under the same. `job`: in it.
 */
struct vmall_whole_request vmall_ask_for_cores(job_record_t *job);
void vmall_close_partition(const struct vmall_whole_request *request);
/* For a job that has not started. */
void vmall_ask_for_whole_nodes(job_details_t *details, const struct vmall_whole_request *request);

#endif
