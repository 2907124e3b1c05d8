/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ports of ours that slurm.conf gives to Slurm, too: whoever comes second does not start.
 */
#ifndef VMALL_GLUE_PORT_CONFLICT_H
#define VMALL_GLUE_PORT_CONFLICT_H

#include <slurm/slurm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A phrase that names both keys, freed with free(); NULL: the port is not one of Slurm's. `conf`:
 * NULL is that of this process. `key`: of vmall.conf. */
char *vmall_port_conflict(const slurm_conf_t *conf, const char *key, int port);

#ifdef __cplusplus
}
#endif

#endif
