# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# How the scripts here keep what they start out of the kernel's autogroups: sourced by them, with `program` set.
#
# The kernel shares CPUs out among sessions (autogroups). Linux 6.13 to 7.0 let one whose processes wake each other all
# the time, as ranks that share a core do, starve the others (doc/kernels.md). In a cpu cgroup there are none.

: "${program:?}"
all_cpu=$(awk '$3 == "cgroup" && "," $4 "," ~ ",cpu," { print $2; exit }' /proc/self/mounts)
own_cpu= # the cgroup, while this process is in one of its own

# Also for all that this process starts from now on. Where no such cgroup can be made, nothing changes.
leave_autogroups() {
    [ -n "$all_cpu" ] || return 0
    own_cpu=$(mktemp -d "$all_cpu/slurm-vmall-$program.XXXXXX" 2>/dev/null) || return 0
    echo $$ >"$own_cpu/cgroup.procs"
}

# The cgroup stays for processes that are still in it.
rejoin_autogroups() {
    [ -n "$own_cpu" ] || return 0
    echo $$ >"$all_cpu/cgroup.procs"
    rmdir "$own_cpu" 2>/dev/null || :
    own_cpu=
}
