/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What advanced reservations keep from a running job.
 */
#ifndef VMALL_GLUE_RESERVATIONS_H
#define VMALL_GLUE_RESERVATIONS_H

#include "slurmglue/job_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cores of the job's nodes that it may not grow into, node by node: a reservation needs them in
 * less than `left` seconds, if the job has a limit, or they are not part of the job's own. Under
 * vmall_lock_to_act(). */
void vmall_visit_withheld(uint32_t job_id, uint32_t left, vmall_visit_node_cores visit,
                          void *context);

#ifdef __cplusplus
}
#endif

#endif
