/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Those with whom a job that lends cores of its whole nodes does not share them.
 */
#ifndef VMALL_GLUE_STRANGERS_H
#define VMALL_GLUE_STRANGERS_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/company.h"

#include "src/slurmctld/slurmctld.h"

/* Nodes on which they are. `preemptees`: whom the job may preempt, who do not count if they would
 * leave; NULL: nobody. The caller frees it. */
bitstr_t *vmall_nodes_of_strangers(const job_record_t *job, enum vmall_company company,
                                   list_t *preemptees);

/* Adds those of the preemptees that are on these nodes to the ones that the job preempts: it is to
 * start there, and Slurm lets stay whoever leaves cores free. */
void vmall_preempt_strangers(const job_record_t *job, enum vmall_company company,
                             list_t *preemptees, const bitstr_t *nodes, list_t **preempted);

#endif
