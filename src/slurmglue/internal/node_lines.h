/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes of one line of slurm.conf are alike, and there are few lines where there are many nodes.
 */
#ifndef VMALL_GLUE_NODE_LINES_H
#define VMALL_GLUE_NODE_LINES_H

#include "slurmglue/internal/releases.h"

#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

/* The first of the nodes; NULL: there are none. */
const node_record_t *vmall_first_node(const bitstr_t *nodes);

/* A node of the partition for each of slurm.conf's lines that has some, until `visit` answers true.
 * Whether it did. */
bool vmall_visit_lines(const part_record_t *partition,
                       bool (*visit)(const node_record_t *node, void *context), void *context);

#endif
