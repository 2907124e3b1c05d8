/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How our scheduler plugin finds our select plugin: by a function that this shows beside those
 * which Slurm looks up.
 */
#ifndef VMALL_GLUE_SELECT_QUESTION_H
#define VMALL_GLUE_SELECT_QUESTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Shown by the select plugin: its answer. */
const void *select_p_vmall_answer(void);

/* The answer of the select plugin that slurmctld runs, or NULL if that is none of ours. */
const void *vmall_select_ask(void);

#ifdef __cplusplus
}
#endif

#endif
