/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the views of waiting and of active jobs have in common.
 */
#ifndef VMALL_GLUE_JOB_FIELDS_H
#define VMALL_GLUE_JOB_FIELDS_H

#include "slurmglue/job_view.h"

#include "src/slurmctld/slurmctld.h"

/* QOS are slurmdbd's to rename: the lock under which jobs are filled in and visited. */
void vmall_lock_qos_names(void);
void vmall_unlock_qos_names(void);

/* All but the state, the nodes and the cores. `partition` may be NULL. */
void vmall_fill_job(struct vmall_job *job, const job_record_t *record,
                    const part_record_t *partition);

#endif
