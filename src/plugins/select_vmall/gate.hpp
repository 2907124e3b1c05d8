// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who may start jobs. While sched/fjt is attached, a job that asked for virtual malleability starts
// only when sched/fjt says so: Slurm's own scheduling loops see "nodes busy" and leave it in the
// queue.
#pragma once

namespace vmall::select {

// What select/vmall answers to sched/fjt (vmall_select_ask). `version` guards against a file of
// another release being left in the plugin directory.
struct Gate {
    const char *version;
    // `changed` is called, under slurmctld's locks, whenever a scheduling pass may find something
    // new to do; null detaches the scheduler.
    void (*attach)(void (*changed)()) noexcept;
    // Opens the gate for the calling thread, and closes it again.
    void (*open)(bool open) noexcept;
};

extern const Gate gate;

} // namespace vmall::select
