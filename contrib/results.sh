# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# How many tests passed and failed: sourced by the scripts that run them.

# passed_and_failed LOG STATUS: by what pytest -v with several workers or make check says there of each test; a failure without
# a word counts, too.
passed_and_failed() {
    local from_pytest='\[gw[0-9]+\] \[ *[0-9]+%\]' passed failed
    passed=$(grep -cE "^($from_pytest PASSED|PASS:) " "$1") || : # says 0 then
    failed=$(grep -cE "^($from_pytest (FAILED|ERROR)|(FAIL|XPASS|ERROR):) " "$1") || :
    [ "$2" = 0 ] || [ "$failed" -gt 0 ] || failed=1
    echo "$passed $failed"
}
