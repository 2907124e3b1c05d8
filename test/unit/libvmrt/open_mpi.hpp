// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs started by Open MPI's launcher, and what ranks did while a program ran.
#pragma once

#include "trial.hpp"

#include <algorithm>
#include <iterator>
#include <unistd.h>

namespace vmall::test {

using Command = std::vector<std::string>;

// Messages that its shared memory does not carry (those to spawned processes, one-sided ones of 5)
// go over the loopback: not every machine can reach its own address. The other topologies
// (treematch) hang now and then in 5.0.7's MPI_Dist_graph_create, without us, too.
// Has slots for as many spawned ranks: with too few, 5 yields by itself.
inline Command open_mpi(int ranks, const Command &command) {
    Command whole{OPEN_MPIEXEC, "--allow-run-as-root", "--bind-to", "none"};
    whole.insert(whole.end(), {"--host", "localhost:" + std::to_string(2 * ranks)});
    whole.insert(whole.end(), {"--mca", "btl_tcp_if_include", "lo", "--mca", "topo", "basic"});
    whole.insert(whole.end(), {"-n", std::to_string(ranks)});
    whole.insert(whole.end(), command.begin(), command.end());
    return whole;
}

// Looked at while it runs, because ranks that come later may take the slots of those that left, and
// at the end, because a short program may be over before anybody looks.
struct Folded {
    std::size_t ranks; // the most that had a slot at a time
    std::uint64_t switches;
    std::uint32_t engines;
    Outcome outcome;
};

inline std::size_t described_slots(Stage &stage) {
    const auto &slots = stage.runtime().slots;
    return static_cast<std::size_t>(
        std::count_if(std::begin(slots), std::end(slots), [](const vmall_runtime_slot &slot) {
            return __atomic_load_n(&slot.local_size, __ATOMIC_RELAXED) != 0;
        }));
}

inline Folded watch(Stage &stage, Program program) {
    Folded seen{0, 0, 0, {}};
    for (bool has_ended = false; !has_ended; usleep(2000)) {
        has_ended = program.has_ended();
        seen.ranks = std::max(seen.ranks, described_slots(stage));
        seen.switches = std::max(seen.switches, hand_overs(stage));
    }
    seen.engines = __atomic_load_n(&stage.runtime().engines, __ATOMIC_RELAXED);
    seen.outcome = program.wait();
    return seen;
}

} // namespace vmall::test
