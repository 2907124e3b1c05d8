#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py MODULES... FILE: runs the tests in FILE of what is in the directories MODULES."""

import os
import sys
import unittest


def main():
    *modules, path = sys.argv[1:]
    directory, file = os.path.split(os.path.abspath(path))
    sys.path[:0] = [directory, *modules]
    tests = unittest.defaultTestLoader.loadTestsFromName(os.path.splitext(file)[0])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
