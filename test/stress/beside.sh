# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What the scripts here have in common, sourced by them with `program` and `contrib` set: busy loops beside what is tried.

: "${program:?}" "${contrib:?}"
# shellcheck source=contrib/messages.sh
. "$contrib/messages.sh"
# shellcheck source=contrib/autogroups.sh
. "$contrib/autogroups.sh"

# Of the scripts' options: all are whole numbers but the build, a folder.
# shellcheck disable=SC2034 # the scripts use them
times=10
beside=2
build=
# Takes one option, NAME=VALUE, or fails.
# shellcheck disable=SC2034 # the scripts use what it sets
stress_option() {
    case $1 in
    --build=?*) build=$(cd "${1#*=}" && pwd) ;;
    --times=*[!0-9]* | --beside=*[!0-9]*) return 1 ;;
    --times=?*) times=${1#*=} ;;
    --beside=?*) beside=${1#*=} ;;
    *) return 1 ;;
    esac
}

busy= # process ids
# Starts so many, in the same cgroup as all else: what is tried competes with them. They end with this script.
start_busy_loops() {
    leave_autogroups
    trap stop_busy_loops EXIT
    while [ "$(echo "$busy" | wc -w)" -lt "$beside" ]; do
        (while :; do :; done) &
        busy="$busy $!"
    done
}

stop_busy_loops() {
    # shellcheck disable=SC2086 # one word for each
    [ -z "$busy" ] || kill $busy
    rejoin_autogroups
}
