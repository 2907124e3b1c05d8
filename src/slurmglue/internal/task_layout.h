/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many tasks of a job that leaves its spread open are on each of its nodes: in the job's
 * supplemental environment, which slurmctld saves, and by which its script, or salloc's
 * shell, is told.
 */
#ifndef VMALL_GLUE_TASK_LAYOUT_H
#define VMALL_GLUE_TASK_LAYOUT_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

/* One for each node, as Slurm writes them: 4,2(x3). Freed with xfree(). */
char *vmall_text_of_counts(const uint32_t *counts, uint32_t nodes);

/* Of the job's nodes, ascending. */
void vmall_note_task_layout(job_details_t *details, const uint32_t *tasks, uint32_t nodes);
void vmall_clear_task_layout(job_details_t *details);

/* Of how many nodes; 0: none has been noted. */
uint32_t vmall_nodes_of_task_layout(const job_details_t *details);

/* Answers whether one has been noted, of so many nodes. */
bool vmall_read_task_layout(const job_details_t *details, uint32_t *tasks, uint32_t nodes);

/* A step that starts, of all of its job's tasks, which Slurm would spread by the cores that the job
 * has now. */
void vmall_lay_out_step(step_record_t *step);

#endif
