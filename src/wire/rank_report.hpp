// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the nodes know of the ranks of a job: how many libvmrt serves, and what they did so far. It
// comes from pages that the job itself writes: good for advice, not for anything that must be true.
#pragma once

#include <cstdint>
#include <string>

namespace vmall::wire {

// Where libvmrt sees ranks wait; `none`: it does not know their MPI library. Bits.
enum Engine : std::uint32_t {
    engine_ucx = 1,
    engine_open_mpi = 2,
    engine_generic = 4,
    engine_none = 8,
};

struct RankReport {
    std::uint32_t tasks = 0;      // rank processes that run
    std::uint32_t attached = 0;   // of them, with libvmrt; at most `tasks`
    std::uint64_t useful_ns = 0;  // not waiting, since they started; all sums stop at the highest
    std::uint64_t waiting_ns = 0; // in MPI without a message
    std::uint64_t switches = 0;   // handed their core to another rank
    std::uint64_t messages = 0;   // sent
    std::uint32_t engines = 0;    // of all of them: Engine

    RankReport &operator+=(const RankReport &other);
};

// As "ucx,generic"; empty if none is known. Unknown names and bits count as none.
std::string names_of_engines(std::uint32_t engines);
std::uint32_t engines_named(const std::string &names);

} // namespace vmall::wire
