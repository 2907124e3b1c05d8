#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py MODULES... FILE: runs the tests in FILE of what is in the directories MODULES."""

import faulthandler
import os
import sys
import unittest

LIMIT = 600  # seconds, of one that hangs


def main():
    *modules, path = sys.argv[1:]
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    directory, file = os.path.split(os.path.abspath(path))
    sys.path[:0] = [directory, *modules]
    tests = unittest.defaultTestLoader.loadTestsFromName(os.path.splitext(file)[0])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
