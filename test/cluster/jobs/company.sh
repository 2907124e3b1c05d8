#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prolog and epilog of test_whole_nodes.py: notes which other jobs run on the node.
others=$(squeue --noheader --states=running --nodelist="$SLURMD_NODENAME" --format=" %A" | grep -vx " $SLURM_JOB_ID" |
    tr -d '\n')
echo "$SLURM_SCRIPT_CONTEXT $SLURM_JOB_ID:$others" >>"${SLURM_CONF%/*}/company"
