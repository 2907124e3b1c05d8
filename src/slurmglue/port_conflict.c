/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps its ranges in different forms.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/port_conflict.h"
#include "slurmglue/port_ranges.h"

#include "src/common/read_config.h"

/* A command has no other configuration than the one that it gives. */
#pragma weak slurm_conf

char *vmall_port_conflict(const slurm_conf_t *conf, const char *key, int port) {
    if (!conf)
        conf = &slurm_conf;
    const uint16_t *of_srun = conf->srun_port_range;
    const struct vmall_port_range ranges[] = {
        {"SlurmctldPort", conf->slurmctld_port,
         conf->slurmctld_port + MAX(conf->slurmctld_port_count, 1) - 1},
        {"SlurmdPort", conf->slurmd_port, conf->slurmd_port},
        {"SrunPortRange", of_srun ? of_srun[0] : 0, of_srun ? of_srun[1] : 0},
    };
    return vmall_conflict_among(ranges, sizeof(ranges) / sizeof(*ranges), key, port);
}
