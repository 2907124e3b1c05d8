/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls libslurm's function by the name that it has, and shows what it has read.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/conf_answer.h"

#include "src/common/read_config.h"

void vmall_free_conf_answer(slurm_conf_t *answer) {
    slurm_free_conf(answer);
}

const slurm_conf_t *vmall_local_conf(void) {
    return &slurm_conf;
}
