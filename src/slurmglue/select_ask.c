/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Asks the select plugin that slurmctld runs.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/select_question.h"

#include "src/common/select.h"

const void *vmall_select_ask(void) {
    const void *answer = NULL;
    select_g_get_info_from_plugin((enum select_plugindata_info)VMALL_SELECT_QUESTION, NULL,
                                  &answer);
    return answer;
}
