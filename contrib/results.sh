# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What logs say of tests: sourced by the scripts that run them.

_from_pytest='\[gw[0-9]+\] \[ *[0-9]+%\]' # begins what pytest -v with several workers says of a test

# passed_and_failed LOG STATUS: by what pytest -v with several workers or make check says there of each test; a failure without
# a word counts, too.
passed_and_failed() {
    local passed failed
    passed=$(grep -cE "^($_from_pytest PASSED|PASS:) " "$1") || : # says 0 then
    failed=$(grep -cE "^($_from_pytest (FAILED|ERROR)|(FAIL|XPASS|ERROR):) " "$1") || :
    [ "$2" = 0 ] || [ "$failed" -gt 0 ] || failed=1
    echo "$passed $failed"
}

# ran_nowhere LOG…: the tests that are skipped in all of the logs of pytest -v, with several workers, that have them.
ran_nowhere() {
    sed -nE "s/^$_from_pytest ([A-Z]+) [^:]*\/([^ ].*[^ ]) *$/\1 \2/p" "$@" | sort -u | awk '
        { how = $1; sub(/^[A-Z]+ /, "") }
        how == "SKIPPED" { skipped[$0] }
        how != "SKIPPED" { ran[$0] }
        END { for (test in skipped) if (!(test in ran)) print test }'
}
