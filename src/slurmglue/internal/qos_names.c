/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's lock on QOS.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/qos_names.h"

#include "src/common/assoc_mgr.h"

static assoc_mgr_lock_t qos_names = {.qos = READ_LOCK};

void vmall_lock_qos_names(void) {
    assoc_mgr_lock(&qos_names);
}
void vmall_unlock_qos_names(void) {
    assoc_mgr_unlock(&qos_names);
}
