# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Builds in a temporary directory: sourced by the scripts here after messages.sh, with `here` set.

: "${program:?}" "${here:?}"
# shellcheck source=contrib/autogroups.sh
. "$here/autogroups.sh"
# shellcheck source=contrib/compilers.sh
. "$here/compilers.sh"
top=$(dirname "$here")
temporary=${TMPDIR:-/tmp}
build=     # the directory
keep=      # anything: it stays
build_log= # stays if something fails
watcher=

# prepare_build MEGABYTES [OPTION]...: installs what is missing, leaves the autogroups, and configures in `build`, which is
# removed when the script ends, and where so much will be needed. What two of these scripts do in the source tree, they do in turn.
prepare_build() {
    space_left=$(($(df --output=avail -m "$temporary" | tail -n 1)))
    [ "$space_left" -ge "$1" ] || die "$temporary has $space_left MB left, and $1 are needed: make room there, or set TMPDIR"
    shift
    run flock -F "$top" "$here/install-packages" || exit
    run flock -F "$top" "$here/slurm-source" || exit

    trap leave_build EXIT
    build=$(mktemp -d "$temporary/slurm-vmall-$program.XXXXXX")
    chmod 755 "$build"
    leave_autogroups

    build_log=$(mktemp "$temporary/slurm-vmall-build.XXXXXX")
    bootstrapped || logged "$build_log" "making ./configure" flock -F "$top" "$top/bootstrap"
    logged "$build_log" "configuring" configure_build "$@"
}

# -O1 compiles in half the time.
configure_build() {
    cd "$build" || exit
    ! works_with_ccache "$build" || set -- "CC=ccache gcc" "CXX=ccache g++" "$@"
    exec "$top/configure" CFLAGS=-O1 CXXFLAGS=-O1 "$@"
}

# Whether what bootstrap makes is there, and newer than what it is made of.
bootstrapped() {
    [ -e "$top/configure" ] && [ -e "$top/Makefile.in" ] &&
        [ -z "$(find "$top/configure.ac" "$top/Makefile.am" "$top"/m4/vmall_* "$top/precompiled" "$top/src" "$top/experiments" "$top/test" "$top/doc" "$top/etc" \
            -name '*.a[cm]' -newer "$top/Makefile.in" -print -quit)" ]
}

# build_parts FOLDER[:TARGET,…]…: in this order, and says how far it is.
build_parts() {
    : >"$build_log"
    for part; do
        (make_part "$part" -nk) >>"$build_log" 2>/dev/null || : # says again below what is wrong
    done
    all_steps=$(steps)
    : >"$build_log"
    watch_steps &
    watcher=$!
    for part; do
        run_into "$build_log" make_part "$part" "-j$(nproc)" && continue
        tail -n 40 "$build_log" >&2
        die "building $part failed$(full_disk "$build") (whole output: $build_log)"
    done
    stop_watching
    rm -f "$build_log"
}

make_part() { # FOLDER[:TARGET,…] OPTION
    targets=all
    case $1 in *:*) targets=$(printf '%s' "${1#*:}" | tr , ' ') ;; esac
    # One word for each target, on purpose.
    # shellcheck disable=SC2086
    TMPDIR=$build exec setsid make -C "$build/${1%%:*}" "$2" $targets
}

# How many files make has compiled or linked, or would, by what it prints.
steps() { grep -cE '^(echo ")? +(CC|CXX|FC|PPFC|CCLD|CXXLD|FCLD|GEN) +' "$build_log" || :; }

watch_steps() {
    trap 'kill "$pause" 2>/dev/null || :; exit' TERM HUP
    while sleep 5 & pause=$! && wait "$pause"; do
        done_steps=$(steps) # some that make did not tell of before it had done others
        [ "$done_steps" -le "$all_steps" ] || all_steps=$done_steps
        say "building $done_steps of $all_steps"
    done
}

stop_watching() {
    [ -z "$watcher" ] || ! kill "$watcher" 2>/dev/null || wait "$watcher" || :
    watcher=
}

leave_build() {
    build_status=$?
    stop_watching
    rejoin_autogroups
    if [ -z "$keep" ]; then
        rm -rf "$build"
    elif [ -n "$build" ]; then
        say "the build is kept in $build"
    fi
    exit "$build_status"
}
