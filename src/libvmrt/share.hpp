// SPDX-License-Identifier: GPL-2.0-or-later
//
// How this rank shares the CPUs of the job: what the follower finds out for the thread in MPI.
#pragma once

#include "libvmrt/affinity.hpp"
#include "libvmrt/control_view.hpp"
#include "libvmrt/placement.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/way.hpp"

#include <sys/types.h>

namespace vmall::runtime {

struct Share {
    std::uint32_t slot;
    pid_t follower;   // the thread that found this out
    bool overclaimed; // the CPUs are also other jobs'
    Rules rules;
    const Way *way; // by these rules
    std::uint32_t member_count;
    Member members[VMALL_RUNTIME_SLOTS]; // as of list_members(), this rank among them
    bool folded;                         // what follows has a meaning only if it is
    bool reachable;                      // we may run there
    Room room;
    std::uint16_t cpus[VMALL_CONTROL_MAX_CPUS]; // of the allotment, that the kernel lets us use
    Place place;

    // It has a place of its own in the allotment, rather than all of it (the thesis' baseline).
    bool placed() const { return folded && way->placed; }

    // Else the kernel alone says who runs.
    bool takes_turns() const { return placed() && way->takes_turns; }

    // Whether turns are left to the kernel, now: `page` is the job's.
    bool is_kernels(const vmall_runtime_page &page) const {
        const std::uint32_t queues = rules.run_queues;
        return takes_turns() && (queues == VMALL_QUEUES_DETECTED ? load_relaxed(page.run_queues)
                                                                 : queues) == VMALL_QUEUES_KERNEL;
    }

    // To other jobs, when it waits.
    bool yields() const { return overclaimed && way->yields; }

    // The CPU whose token is the place's.
    std::uint16_t home() const { return cpus[place.first_cpu]; }
    std::uint32_t places() const { return place_count(room); }
    cpu_set_t own_cpus() const { return set_of(cpus + place.first_cpu, place.width); }
    cpu_set_t all_cpus() const { return set_of(cpus, room.cpu_count); }
    cpu_set_t cpus_of(std::uint32_t index) const {
        const std::uint32_t first = first_cpu_of_place(room, index);
        return set_of(cpus + first, first_cpu_of_place(room, index + 1) - first);
    }
};

} // namespace vmall::runtime
