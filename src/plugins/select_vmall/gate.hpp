// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who may start jobs. Where sched/fjt runs, or is about to, a job that asked for virtual
// malleability starts only when sched/fjt says so: Slurm's own scheduling loops see "nodes busy"
// and leave it in the queue.
#pragma once

#include "plugins/cores/malleability.hpp"
#include "slurmglue/company.h"
#include "slurmglue/select_decorator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What slurm.conf names the two plugins, each of which knows the other by it. Literals, for Slurm
// wants a plugin's name as an array. The select plugin has an older name, too (select_vmall.cpp).
#define VMALL_SELECT_TYPE "select/cons_tres_vmall"
#define VMALL_SCHEDULER_TYPE "sched/fjt"

namespace vmall::select {

// Called under slurmctld's locks.
struct Listener {
    void (*changed)() noexcept; // a scheduling pass may find something new to do
    void (*reconfigured)() noexcept;
    void (*configured)() noexcept; // slurm.conf has been taken over; perhaps not for the first time
};

// What the select plugin answers to sched/fjt (vmall_select_ask). `build` stays in the first place:
// it guards against a file of another build, with another gate, being left in the plugin directory.
struct Gate {
    const char *build;
    // Null detaches the scheduler.
    void (*attach)(const Listener *listener) noexcept;
    // Opens the gate for the calling thread, and closes it again.
    void (*open)(bool open) noexcept;
    // Which jobs are virtually malleable by vmall.conf, until it is called again. At first none
    // that have GRES or have not asked.
    void (*go_by)(const cores::Rules &rules);
    // The waiting jobs that do not fit this machine, ascending, until it is called again: Slurm's
    // own schedulers keep no cores for them. Under slurmctld's lock to act.
    void (*without_machine)(std::vector<std::uint32_t> jobs) noexcept;
    // Nodes, by Slurm's index, where nobody starts until it is called again: jobs live there on
    // other cores than slurmctld has recorded, perhaps. All, until it is called for the first time.
    // Likewise under the lock.
    void (*close_nodes)(std::vector<std::uint32_t> nodes) noexcept;
    // That what this thread starts lends cores of its whole nodes, and beside whom it may be; until
    // it is called again. Nothing: it does not.
    void (*lend_to)(std::optional<vmall_company> company) noexcept;
    // No more cores of these nodes, ascending, than so many for what this thread starts; until it
    // is called again. None: any number of cores.
    void (*limit_cores)(std::vector<vmall_core_limit> limits) noexcept;
    // What vmall.conf said when it was last read in this process (config::as_lines), for the next
    // scheduler: slurmctld unloads sched/fjt while another one is to start in its place, and loads
    // it again if that fails, perhaps elsewhere in memory.
    std::optional<std::string> *last_read;
};

extern const Gate gate;

} // namespace vmall::select
