# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# How the scripts here talk: sourced by them, with `program` set.

: "${program:?}"
say() { printf '%s: %s\n' "$program" "$*"; }
die() { printf '%s: %s\n' "$program" "$*" >&2; exit 1; }

# logged LOG WHAT COMMAND…: says WHAT, runs COMMAND with its output in LOG, and on failure shows the end of it.
logged() {
    logged_file=$1
    say "$2"
    shift 2
    "$@" >"$logged_file" 2>&1 && return
    tail -n 40 "$logged_file" >&2
    die "failed: $* (whole output: $logged_file)"
}
