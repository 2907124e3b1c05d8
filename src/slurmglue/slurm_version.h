/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which Slurm this was built for. Internals move between releases: a new one is added here once
 * every file of this folder was read against it, never before.
 */
#ifndef VMALL_SLURM_VERSION_H
#define VMALL_SLURM_VERSION_H

/* Slurm's functions by the names that programs with libslurm have them by, too: those load select
 * plugins. */
#include "src/common/slurm_xlator.h"

#include "slurm/slurm.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) ||                                          \
    SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 6, 0)
#error "slurm-vmall knows the internals of Slurm 22.05 only"
#endif

#endif
