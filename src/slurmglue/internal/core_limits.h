/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A start on no more cores of each node than have been chosen: select/cons_tres is told that all
 * others there are kept from the job, as it is of those of advanced reservations.
 */
#ifndef VMALL_GLUE_CORE_LIMITS_H
#define VMALL_GLUE_CORE_LIMITS_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/select_decorator.h"

#include "src/slurmctld/slurmctld.h"

/* What is excluded, and all free cores of the limited nodes but the first so many. The caller frees
 * it. */
vmall_excluded *vmall_exclude_beyond(vmall_excluded *excluded,
                                     const struct vmall_core_limit *limits, uint32_t count);
void vmall_free_excluded(vmall_excluded *excluded);

#endif
