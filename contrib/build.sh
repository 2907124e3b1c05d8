# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Builds everything in a temporary directory: sourced by the scripts here after messages.sh, with `here` set.

: "${program:?}" "${here:?}"
# shellcheck source=contrib/autogroups.sh
. "$here/autogroups.sh"
keep= # anything: the directory stays

# Installs what is missing, leaves the autogroups, and sets `build`, which is removed when the script ends.
build_all() {
    top=$(dirname "$here")
    "$here/install-packages"
    "$here/slurm-source"

    build=$(mktemp -d "/tmp/slurm-vmall-$program.XXXXXX")
    chmod 755 "$build"
    trap leave_build EXIT
    trap 'exit 130' INT TERM HUP
    leave_autogroups

    build_log=$(mktemp /tmp/slurm-vmall-build.XXXXXX) # stays if something fails
    logged "$build_log" "making ./configure" "$top/bootstrap"
    (cd "$build" && logged "$build_log" "configuring" "$top/configure" CFLAGS=-O1 CXXFLAGS=-O1) # compiles in half the time
    logged "$build_log" "building (some minutes)" make -C "$build" -j"$(nproc)"
    rm -f "$build_log"
}

leave_build() {
    build_status=$?
    rejoin_autogroups
    if [ -n "$keep" ]; then
        say "the build is kept in $build"
    else
        rm -rf "$build"
    fi
    exit "$build_status"
}
