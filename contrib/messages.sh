# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# How the scripts here talk, and how they end: sourced by them, with `program` set.

: "${program:?}"
say() { printf '%s: %s\n' "$program" "$*"; }
die() { printf '%s: %s\n' "$program" "$*" >&2; exit 1; }

child= # that is waited for
log=   # of what has been run
# run COMMAND…: as without it, but a signal to this script ends the command, too, before its traps on EXIT run.
run() {
    "$@" &
    wait_for_child
}
# run_into LOG COMMAND…: with its output at the end of LOG.
run_into() {
    log=$1
    shift
    "$@" >>"$log" 2>&1 &
    wait_for_child
}
wait_for_child() {
    child=$!
    child_status=0
    wait "$child" || child_status=$?
    child=
    return "$child_status"
}
interrupted() {
    trap '' INT TERM HUP
    if [ -n "$child" ]; then
        kill -- "-$child" 2>/dev/null || kill "$child" 2>/dev/null || : # with all that it started, if it leads a group
        wait "$child" || :
    fi
    [ -z "$log" ] || rm -f "$log"
    die "interrupted"
}
trap interrupted INT TERM HUP

# Why a command may have failed that says so only in passing.
full_disk() {
    free=$(df --output=avail -k "$1" | tail -n 1)
    [ "$free" -gt 10240 ] || printf ': no space is left in %s' "$1"
}

# logged LOG WHAT COMMAND…: says WHAT, runs COMMAND with its output in LOG, and on failure shows the end of it.
logged() {
    log=$1
    say "$2"
    shift 2
    : >"$log"
    run_into "$log" "$@" && return
    tail -n 40 "$log" >&2
    die "failed: $*$(full_disk "$(dirname "$log")") (whole output: $log)"
}
