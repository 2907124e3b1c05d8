/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ends and begins the records of a running job in Slurm's accounting database (accounting.h says
 * what those are). Under vmall_lock_to_act(); for the questions, vmall_lock_to_read() is enough.
 */
#ifndef VMALL_GLUE_ACCOUNT_RECORD_H
#define VMALL_GLUE_ACCOUNT_RECORD_H

#include <stdbool.h>

struct job_record;

/* slurmdbd can be asked now. Needs no lock. */
bool vmall_slurmdbd_is_there(void);

bool vmall_record_number_is_known(const struct job_record *record);

/* slurmdbd is being told of the job's start, and the number is what it will answer. */
bool vmall_record_number_is_asked_for(const struct job_record *record);

/* Whether accounting can take a resize of the running job now: not while Slurm shrinks its memory,
 * since 26.05, and ends the record itself when all nodes have done so. Else, without slurmdbd it
 * always can; with it, the connection must be up, the number of the job's record be known, and the
 * record not have begun in this second: slurmdbd has one record per job and second. */
bool vmall_record_can_end(const struct job_record *record);

/* Slurm's job_post_resize_acctg(), without waiting for slurmdbd. */
void vmall_begin_record(struct job_record *record);

#endif
