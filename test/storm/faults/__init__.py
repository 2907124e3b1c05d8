# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of faults. Each is a generator: it yields what it hits (names as in oracle.Look), then does its harm, and yields
seconds to wait for as often as it likes; when it ends, the harm is undone as far as the fault itself does that. It ends
before it yields anything if there is nobody to hit."""

from . import daemons, neighbours, network, operators, resources, tasks

_KINDS = [
    daemons.kill_slurmctld, daemons.end_slurmctld, daemons.stop_slurmctld, daemons.kill_slurmd, daemons.end_slurmd, daemons.stop_slurmd,
    daemons.kill_munged, daemons.stop_munged, daemons.takeover,
    tasks.kill_slurmstepd, tasks.stop_slurmstepd, tasks.kill_task, tasks.stop_task,
    operators.scancel, operators.requeue, operators.suspend, operators.hold, operators.limit, operators.drain, operators.down,
    operators.reconfigure, operators.vmctl_set, operators.jump_clock,
    resources.full_state, resources.full_spool, resources.full_runtime, resources.slurmd_without_descriptors,
    resources.slurmctld_without_descriptors, resources.slurmd_without_threads,
    neighbours.silent_peers, neighbours.garbage, neighbours.huge_frames, neighbours.endless_frames,
    network.late_messages, network.lost_messages, network.lost_answers, network.cut_messages,
]
FAULTS = {kind.__name__: kind for kind in _KINDS}
