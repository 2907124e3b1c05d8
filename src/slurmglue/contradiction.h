/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings of Slurm's that let several jobs share a core by themselves. They contradict virtual
 * malleability: a core that a folded job gave up would be counted wrong, or be given to two jobs.
 */
#ifndef VMALL_GLUE_CONTRADICTION_H
#define VMALL_GLUE_CONTRADICTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* The first of them: file, key, value, and what to write instead. NULL: there is none. Freed with
 * free(). Under vmall_lock_to_read(), or while slurmctld starts. */
char *vmall_contradiction(void);

#ifdef __cplusplus
}
#endif

#endif
