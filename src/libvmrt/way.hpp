// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ways to share CPUs that `coscheduling` of the control block may ask for (thesis, table 4.4).
// Pure.
#pragma once

#include <cstdint>

namespace vmall::runtime {

struct Way {
    std::uint32_t coscheduling; // of the control block
    bool placed;      // a rank has a place of its own in the allotment, rather than all of it
    bool takes_turns; // else the kernel alone says who runs
    bool yields;      // to other jobs, when it waits
    // Whether a rank polls again that has nothing to do in its turn, its turn being `turn_ns` old
    // and its wait `wait_ns`. A wait goes on through turns in vain. Null: it does not.
    bool (*keeps_turn)(std::uint64_t turn_ns, std::uint64_t wait_ns);
};

// Null if there is none.
const Way *way_of(std::uint32_t coscheduling);

// Further ways, which are only measured: none in libvmrt.so, those of test/bench in its own
// library.
struct Baselines {
    const Way *ways;
    std::uint32_t count;
};
extern const Baselines baselines;

} // namespace vmall::runtime
