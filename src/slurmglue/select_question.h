/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How our scheduler plugin finds our select plugin: by a question of its own on Slurm's own channel
 * for questions to the select plugin.
 */
#ifndef VMALL_GLUE_SELECT_QUESTION_H
#define VMALL_GLUE_SELECT_QUESTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number that no release of Slurm uses in enum select_plugindata_info; the data is a const void
 * **. */
#define VMALL_SELECT_QUESTION 0x564d

/* The answer of the select plugin that slurmctld runs, or NULL if that is not select/vmall. */
const void *vmall_select_ask(void);

#ifdef __cplusplus
}
#endif

#endif
