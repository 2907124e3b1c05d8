/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads it from slurm.conf as slurmctld has sent it.
 */
#include "slurmglue/releases.h"

#include "slurmglue/plugstack.h"

bool vmall_has_plugstack(void) {
    return HAS_PLUGSTACK;
}

const char *vmall_plugstack(const slurm_conf_t *conf) {
    return PLUGSTACK_OF(conf);
}
