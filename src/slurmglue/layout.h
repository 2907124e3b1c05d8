/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether this slurmctld is the one whose headers we were built with. Slurm compares releases; the
 * layout of its records also depends on patches and on how it was configured.
 */
#ifndef VMALL_GLUE_LAYOUT_H
#define VMALL_GLUE_LAYOUT_H

#ifdef __cplusplus
extern "C" {
#endif

/* What is laid out otherwise and what to do, as a sentence; NULL: nothing that there is by now. For
 * the threads that load plugins, before others run. */
const char *vmall_other_layout(void);

#ifdef __cplusplus
}
#endif

#endif
