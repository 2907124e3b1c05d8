/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The records of a running job in Slurm's accounting database: one for each stretch of time in
 * which its allotment did not change.
 *
 * slurmdbd ends a record by a number that only itself can give, and is slow to give it. So a
 * resize begins the new record without waiting, the number is asked for afterwards and outside of
 * slurmctld's locks, and until it is known the job is not resized again.
 */
#ifndef VMALL_GLUE_ACCOUNTING_H
#define VMALL_GLUE_ACCOUNTING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Asks slurmdbd for the numbers of records that resizes have begun. Waits for the network: no lock
 * may be held. */
void vmall_learn_records(void);

#ifdef __cplusplus
}
#endif

/* For this folder only: these show Slurm's own types. Under vmall_lock_to_act(); for the first,
 * vmall_lock_to_read() is enough. */

struct job_record;

/* Whether accounting can take a resize of the running job now. Without slurmdbd it always can; with
 * it, the connection must be up, the number of the job's record be known, and the record not have
 * begun in this second: slurmdbd has one record per job and second. */
bool vmall_record_can_end(const struct job_record *record);

/* Slurm's job_post_resize_acctg(), without waiting for slurmdbd. */
void vmall_begin_record(struct job_record *record);

#endif
