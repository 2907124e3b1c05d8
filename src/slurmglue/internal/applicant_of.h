/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads from a job's record what decides whether the job can be virtually malleable.
 */
#ifndef VMALL_GLUE_APPLICANT_OF_H
#define VMALL_GLUE_APPLICANT_OF_H

#include "slurmglue/applicant.h"

struct job_record;

/* By the partition that it runs in, or all that it would start in. Under vmall_lock_qos_names(). */
struct vmall_applicant vmall_applicant_of(const struct job_record *job);

#endif
