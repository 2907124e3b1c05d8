/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps fair-share and GrpTRESRunMins right while a job is resized.
 *
 * To Slurm a resize is the end of a job and the start of another. Its end charges the association
 * and the QOS for the time since priority/multifactor last looked (PriorityCalcPeriod), and its
 * start reserves the run time of the whole time limit, as if the job were new. But the next look
 * charges the same time once more, and never gives back the run time that had passed before. All
 * calls are made under vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_RESIZE_USAGE_H
#define VMALL_GLUE_RESIZE_USAGE_H

struct job_record;
struct vmall_usage;

/* Before job_pre_resize_acctg(). Freed by vmall_usage_after(). */
struct vmall_usage *vmall_usage_before(const struct job_record *record);

/* Between job_pre_resize_acctg() and vmall_begin_record(), while the job still has its old
 * TRES. */
void vmall_usage_between(const struct job_record *record, struct vmall_usage *usage);

/* After vmall_begin_record(): takes back what will be charged again, and reserves the run time
 * that is left. */
void vmall_usage_after(const struct job_record *record, struct vmall_usage *usage);

#endif
