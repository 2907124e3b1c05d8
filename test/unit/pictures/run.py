#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs every test of this directory. Ends as programs with Check do, so that contrib/count-results counts each."""

import os
import sys
import unittest

sys.path.insert(0, os.environ["VMSIM_PICTURES_MODULES"])


def main():
    tests = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    good = result.testsRun - len(result.failures) - len(result.errors)
    print(f"{100 * good // max(1, result.testsRun)}%: Checks: {result.testsRun}, Failures: {len(result.failures)}, "
          f"Errors: {len(result.errors)}")
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
