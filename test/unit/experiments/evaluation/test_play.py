# SPDX-License-Identifier: GPL-2.0-or-later
"""Submitting a workload at its arrival times."""

import time
import unittest
from types import SimpleNamespace
from unittest.mock import Mock

from evaluation.play import Player
from evaluation.progress import Interrupted


class Play(unittest.TestCase):
    def test_one_that_is_late_ends_when_it_is_told_to(self):
        cluster = Mock()
        watch = Mock()
        watch.pause.side_effect = Interrupted
        run = SimpleNamespace(settings=SimpleNamespace(clock=1), policy=None, machine=None)
        player = Player(cluster, str, run, watch)
        time.sleep(0.01)
        with self.assertRaises(Interrupted):
            player.play([SimpleNamespace(id=number, submit=0) for number in range(3)])
        cluster.submit.assert_not_called()
