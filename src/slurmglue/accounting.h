/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The numbers of records in Slurm's accounting database. A running job has a record for each
 * stretch of time in which its allotment did not change.
 *
 * slurmdbd ends a record by a number that only itself can give, and is slow to give it. So a
 * resize begins the new record without waiting, the number is asked for afterwards and outside of
 * slurmctld's locks, and until it is known the job is not resized again.
 */
#ifndef VMALL_GLUE_ACCOUNTING_H
#define VMALL_GLUE_ACCOUNTING_H

#ifdef __cplusplus
extern "C" {
#endif

/* Asks slurmdbd for the numbers of records that resizes have begun. Waits for the network: no lock
 * may be held. */
void vmall_learn_records(void);

#ifdef __cplusplus
}
#endif

#endif
