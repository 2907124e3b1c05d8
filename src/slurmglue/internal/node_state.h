/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose cores count as free.
 */
#ifndef VMALL_GLUE_NODE_STATE_H
#define VMALL_GLUE_NODE_STATE_H

#include "src/common/node_conf.h"

#include <stdbool.h>

/* Its free cores are of use to somebody: up and not drained, or being drained, where no job may be
 * started but those that are there may grow. */
bool vmall_is_usable(const node_record_t *record);

#endif
