/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether the limits of a job's association and QOS let it grow while it runs. Slurm checks them
 * when a job starts and never again.
 */
#ifndef VMALL_GLUE_ACCOUNT_LIMITS_H
#define VMALL_GLUE_ACCOUNT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct job_record;

/* Under vmall_lock_to_act(). `cpus`: of the whole job, more than it has now. What the job has now
 * counts as used, so that only what is added must fit the limits of groups, accounts and users. */
bool vmall_limits_allow(const struct job_record *record, uint64_t cpus);

#endif
