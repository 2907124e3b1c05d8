# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The parts that contrib/check runs: how they are built, tried, timed and counted. Sourced by it after messages.sh, with `here`,
# `top` and `what` set.

: "${program:?}" "${here:?}" "${top:?}" "${what:?}"
# shellcheck source=contrib/results.sh
. "$here/results.sh"
# shellcheck source=contrib/compilers.sh
. "$here/compilers.sh"

work=$(mktemp -d /tmp/slurm-vmall-check.XXXXXX)
chmod 755 "$work"
results=$work/results # a line each: how many passed, and failed
: >"$results"
failures=$work/failures # a line each, shown again at the end: the whole output is long
: >"$failures"
built=$work/build
tree=$work/tree # under one name, wherever the clone is: ccache goes by it
ln -s "$top" "$tree"
slurm_options=("--with-slurm-source=$tree/.slurm-source/slurm")

minutes() { echo "$(($1 / 60)) min $(($1 % 60)) s"; } # SECONDS

# The last lines; ends the script. What failed stays, and so do the logs of what was unsteady.
finish() {
    local passed failed
    read -r passed failed < <(awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }' "$results")
    [ "$failed" = 0 ] || { say "what failed, once more:" && cat "$failures"; }
    if [ -s "$work/cluster/unsteady" ]; then
        say "unsteady, failed once and passed alone; each is a defect with a row in test/unsteady.md:"
        cat "$work/cluster/unsteady"
        [ "$failed" != 0 ] || rm -rf "$built"
    elif [ "$failed" = 0 ]; then
        rm -rf "$work"
    fi
    [ ! -e "$work" ] || say "what was built and logged stays in $work"
    [ "$failed" != 0 ] || [ "$what" != gate ] || note_tree "$passed passed, $failed failed, $(minutes $SECONDS)"
    say "all: $(minutes $SECONDS)"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

# What is unpacked from an archive is not, but may lie in somebody else's tree.
in_git() { [ -e "$top/.git" ] && command -v git >/dev/null; }
of_git() { git -c "safe.directory=$top" -C "$top" "$@"; }

# Of a tree in git that is as committed, by its hash, so that it can be seen later whether it was checked.
note_tree() { # SUM
    { in_git && [ -z "$(of_git status --porcelain 2>&1)" ]; } || return 0
    echo "$(of_git rev-parse "HEAD^{tree}") $1" >>"$(cd "$top" && cd "$(of_git rev-parse --git-dir)" && pwd)/checked"
}

# attempt NAME COMMAND…: one result more, with its output in $work/NAME.log; failure shows the end of it.
attempt() {
    local name=$1 began=$SECONDS
    shift
    say "$name"
    if "$@" >"$work/${name// /-}.log" 2>&1; then
        echo 1 0 >>"$results"
        say "$name: $(minutes $((SECONDS - began)))"
    else
        echo 0 1 >>"$results"
        tail -n 40 "$work/${name// /-}.log"
        say "failed: $name" | tee -a "$failures"
        return 1
    fi
}

# As attempt, for what everything after it needs.
need() { attempt "$@" || finish; }

count() { # LOG STATUS
    local passed failed
    read -r passed failed < <(passed_and_failed "$1" "$2")
    echo "$passed $failed" >>"$results"
    say "  $passed passed, $failed failed"
}

# ccache goes by contents, so what it has may be from another clone: gcc would put the names that headers have there, where they are
# shorter, among the dependencies, and make compile again whatever depends on a clone that is gone.
export CCACHE_BASEDIR=$work
configured() { # DIRECTORY CONFIGURE OPTION…
    local directory=$1 configure=$2 compilers=()
    shift 2
    ! works_with_ccache "$work" || compilers=("CC=ccache gcc" "CXX=ccache g++" "CPPFLAGS=-fno-canonical-system-headers")
    mkdir -p "$directory"
    (cd "$directory" && "$configure" "${slurm_options[@]}" "${compilers[@]}" "$@")
}

make_all() { make -C "$1" -j"$(nproc)" "${@:2}"; } # DIRECTORY ARGUMENT…

# run_unit_tests DIRECTORY GREP-OPTION…: a folder for each core, the longest first, and two tests of each: they wait as much as
# they compute.
run_unit_tests() {
    grep -rl --include=Makefile "${@:2}" '^check-TESTS:' "$1" | xargs -n 1 dirname | sort |
        awk '{ print /\/(libvmrt|sim)$/ ? 0 : 1, $0 }' | sort -s -n -k 1,1 | cut -d ' ' -f 2- |
        xargs -P "$(nproc)" -I{} make -k -j2 -C {} check-TESTS
}

failed_programs() { # below $1: what each said of its failures, or its last words
    local result log
    grep -rLE --include='*.trs' '^:test-result: (PASS|SKIP)' "$1" | while read -r result; do
        log=${result%.trs}.log
        grep -HE ':[EF]:|ERROR|runtime error' "$log" || tail -n 5 "$log" | sed "s|^|$log: |"
    done
}

# unit_tests DIRECTORY COMMAND…: which runs `make check` below DIRECTORY. None is tried twice.
unit_tests() {
    local log=$work/unit-tests.log status began=$SECONDS
    say "unit tests"
    "${@:2}" 2>&1 | tee "$log" | grep --line-buffered -E '^(PASS|SKIP|FAIL|XPASS|ERROR): '
    status=${PIPESTATUS[0]}
    if [ "$status" != 0 ]; then
        { failed_programs "$1"; grep -E '(error|warning): |undefined reference|\*\*\*' "$log"; } | tee -a "$failures"
    fi
    say "unit tests: $(minutes $((SECONDS - began)))"
    count "$log" "$status"
}

cluster_tests() { # OPTION… of contrib/cluster-tests or pytest
    local passed=0 failed=1 skipped=0 began=$SECONDS
    say "cluster tests"
    "$here/cluster-tests" --out "$work/cluster" --build="$built" "$@" || :
    [ ! -e "$work/cluster/results" ] || read -r passed failed skipped <"$work/cluster/results"
    echo "$passed $failed" >>"$results"
    sed 's/^/failed: /' "$work/cluster/failed" >>"$failures" 2>/dev/null || :
    say "cluster tests: $(minutes $((SECONDS - began)))"
    say "  $passed passed, $failed failed, $skipped skipped"
}

c_files() { find "$top/src" "$top/experiments" "$top/test" -name '*.[ch]' -o -name '*.[ch]pp'; }
format() { c_files | xargs clang-format --dry-run -Werror; }
scripts() { # FIRST-LINE, as grep -E takes it
    grep -lE "$1" "$top"/bootstrap "$top"/contrib/* "$top"/experiments/* "$top"/.ci/* "$top"/src/tools/*/* \
        "$top"/test/{bench,cluster,cluster/*,fuzz,storm,stress}/* 2>/dev/null
}
shell_scripts() { (cd "$top" && scripts '^#(!/bin/(ba)?sh| shellcheck shell=)' | xargs shellcheck -x); }
python_files() {
    { find "$top/contrib" "$top/experiments" "$top/src" "$top/test" -name '*.py' && scripts '^#!.*python'; } |
        xargs flake8 --config "$top/.flake8"
}

style() {
    if clang-format --version | grep -q 'version 14\.'; then
        attempt "clang-format" format
    else # others format otherwise
        say "clang-format: left out, it is not version 14 here"
    fi
    attempt "shellcheck" shell_scripts
    attempt "flake8" python_files
}
