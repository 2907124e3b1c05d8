/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a slurmd says of its node, for those who stand in for slurmds.
 */
#ifndef VMALL_BENCH_NODE_REGISTRATION_H
#define VMALL_BENCH_NODE_REGISTRATION_H

/* slurmctld takes what its slurm.conf says of the node (SlurmdParameters=config_overrides). */
void register_node(const char *node);

#endif
