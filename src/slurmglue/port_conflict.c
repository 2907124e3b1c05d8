/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps its ranges in different forms.
 */
#define _GNU_SOURCE /* asprintf() */
#include "slurmglue/internal/releases.h"

#include "slurmglue/port_conflict.h"

#include "src/common/read_config.h"

#include <stdio.h>

/* A command has no other configuration than the one that it gives. */
#pragma weak slurm_conf

struct range {
    const char *key;
    uint32_t first, last;
};

static char *text(const struct range *range, const char *key, int port) {
    char *phrase = NULL;
    const int length =
        range->first == range->last
            ? asprintf(&phrase, "%s=%d is %s of slurm.conf, too", key, port, range->key)
            : asprintf(&phrase, "%s=%d is one of %s=%u-%u of slurm.conf", key, port, range->key,
                       range->first, range->last);
    return length < 0 ? NULL : phrase;
}

char *vmall_port_conflict(const slurm_conf_t *conf, const char *key, int port) {
    if (!conf)
        conf = &slurm_conf;
    const uint16_t *of_srun = conf->srun_port_range;
    const struct range ranges[] = {
        {"SlurmctldPort", conf->slurmctld_port,
         conf->slurmctld_port + MAX(conf->slurmctld_port_count, 1) - 1},
        {"SlurmdPort", conf->slurmd_port, conf->slurmd_port},
        {"SrunPortRange", of_srun ? of_srun[0] : 0, of_srun ? of_srun[1] : 0},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
        if ((uint32_t)port >= ranges[i].first && (uint32_t)port <= ranges[i].last)
            return text(&ranges[i], key, port);
    return NULL;
}
