/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the views of waiting and of active jobs have in common.
 */
#ifndef VMALL_GLUE_JOB_FIELDS_H
#define VMALL_GLUE_JOB_FIELDS_H

#include "slurmglue/job_view.h"

#include "src/slurmctld/slurmctld.h"

/* Under vmall_lock_qos_names(). All but the state, the nodes and the cores. `partition` may be
 * NULL. */
void vmall_fill_job(struct vmall_job *job, const job_record_t *record,
                    const part_record_t *partition);

#endif
