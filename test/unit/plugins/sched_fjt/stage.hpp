// SPDX-License-Identifier: GPL-2.0-or-later
//
// What decisions are carried out on, without slurmctld.
#pragma once

#include "plugins/sched_fjt/actor.hpp"
#include "plugins/sched_fjt/fake_glue.hpp"
#include "plugins/sched_fjt/start/preemption.hpp"
#include "plugins/sched_fjt/start/starter.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace vmall::sched {

using Jobs = std::vector<std::uint32_t>;

inline constexpr policy::Seconds noon = 1000000;
inline constexpr policy::Seconds up_for = 5000; // the machine

inline constexpr select::Gate no_gate = {"",
                                         [](const select::Listener *) noexcept {},
                                         [](bool) noexcept {},
                                         [](const cores::Rules &) {},
                                         [](std::vector<std::uint32_t>) noexcept {},
                                         [](std::vector<std::uint32_t>) noexcept {},
                                         [](std::optional<vmall_company>) noexcept {},
                                         [](std::vector<vmall_core_limit>) noexcept {},
                                         nullptr};

// One node of eight cores, and what acts on it.
struct Stage {
    View view;
    config::Config config;
    Ledger ledger{noon};
    Counters counters;
    Messenger messenger{"/nonexistent", [] {}};
    Resizer resizer{ledger, messenger, counters};
    Starter starter{no_gate, config, ledger, resizer, counters};
    Preemption preemption{no_gate, config, starter};
    Actor actor{no_gate, config, ledger, starter, resizer, counters};

    explicit Stage(JobNumber waiting) {
        view.now = noon;
        view.steady = up_for;
        NodeView &node = view.nodes[0];
        node.cores = 8;
        node.cores_per_socket = 8;
        node.usable = true;
        for (JobNumber id = 1; id <= waiting; id++)
            view.queue.push_back(malleable(id, {2, 4, 8}));
    }

    static JobView malleable(JobNumber id, policy::Sizes sizes) {
        JobView job;
        job.id = id;
        job.virtually_malleable = true;
        job.request.sizes = std::move(sizes);
        job.eligible = policy::NodeSet(std::vector<policy::NodeIndex>{{0}});
        return job;
    }

    // Job 9 on all cores.
    void run_one() {
        JobView &job = view.active[9] = malleable(9, {8});
        job.state = JobState::running;
        job.tasks = 8;
        job.allotment = {{{0}, 8}};
        job.cores[0] = {0, 1, 2, 3, 4, 5, 6, 7};
        ledger.of(job);
    }
};

} // namespace vmall::sched
