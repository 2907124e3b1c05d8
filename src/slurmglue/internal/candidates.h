/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nodes that select/cons_tres is given to choose among for a start. It looks twice at each of
 * them, as if it were empty and as it is, and on a large machine that is most of what a start
 * takes.
 */
#ifndef VMALL_GLUE_CANDIDATES_H
#define VMALL_GLUE_CANDIDATES_H

#include "src/slurmctld/slurmctld.h"

/* Once, with any function of select/cons_tres: without what that knows of its cores there is
 * nothing to leave out. */
void vmall_know_candidates(const void *function);

/* Takes out the nodes whose cores are all allocated, if the job can have none of those: it shares
 * them with nobody. It must not preempt others, either. select/cons_tres then chooses as it would
 * have among all. */
void vmall_leave_out_full_nodes(const job_record_t *job, bitstr_t *nodes);

/* The first of the nodes, some times as many as the `wanted` ones and as hold the CPUs that the job
 * wants. They may lack what else it needs. NULL: it would take as long as with all of them, or it
 * matters to Slurm on which nodes the job runs (topology, weights, least loaded nodes first,
 * --spread-job). */
bitstr_t *vmall_few_candidates(const job_record_t *job, bitstr_t *nodes, uint32_t wanted);

/* Cores of a node that no job has, and none that are kept for the system. The caller frees it. */
bitstr_t *vmall_free_cores(uint32_t node);

#endif
