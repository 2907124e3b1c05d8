/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ports of ours that slurm.conf gives to Slurm, too: whoever comes second does not start.
 */
#ifndef VMALL_GLUE_PORT_RANGES_H
#define VMALL_GLUE_PORT_RANGES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vmall_port_range {
    const char *key; /* of slurm.conf */
    uint32_t first, last;
};

/* A phrase that names both keys, freed with free(); NULL: none of them has the port. `key`: of
 * vmall.conf. */
char *vmall_conflict_among(const struct vmall_port_range *ranges, int count, const char *key,
                           int port);

#ifdef __cplusplus
}
#endif

#endif
