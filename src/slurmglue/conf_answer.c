/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls libslurm's function by the name that it has.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/conf_answer.h"

void vmall_free_conf_answer(slurm_conf_t *answer) {
    slurm_free_conf(answer);
}
