/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mark of a job that takes part in virtual malleability without having asked for it:
 * VMALL_TAKES_PART=1 (config/job_request.hpp) in its SPANK environment, which slurmctld saves and
 * hands on to prologs and epilogs, and, as SPANK would have it there, in the environment of its
 * script and steps. Under vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_PART_MARK_H
#define VMALL_GLUE_PART_MARK_H

#include <stdbool.h>

struct job_record;

void vmall_set_part_mark(struct job_record *job);

/* Whoever has set it. */
void vmall_clear_part_mark(struct job_record *job);

#endif
