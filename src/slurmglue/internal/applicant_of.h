/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads from a job's record what decides whether the job can be virtually malleable.
 */
#ifndef VMALL_GLUE_APPLICANT_OF_H
#define VMALL_GLUE_APPLICANT_OF_H

#include "slurmglue/applicant.h"

struct job_record;

/* By the partition that it would start, or runs, in: the one in its record. */
struct vmall_applicant vmall_applicant_of(const struct job_record *job);

#endif
