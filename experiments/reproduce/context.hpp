// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an experiment runs with.
#pragma once

#include "sim/engine/in_parallel.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

struct Context {
    std::vector<std::uint64_t> seeds; // of the random workloads, at least one
    int threads = 1;
    // Of the full length (duration, number of jobs) that workloads have, for tests: in (0, 1].
    double length = 1;
    Progress &progress;    // for simulate(); shared by all threads
    std::string logs = {}; // folder of public logs, by the names of their archive; empty: none
};

// On the threads of the context.
inline void in_parallel(const Context &context, std::size_t count,
                        const std::function<void(std::size_t)> &task) {
    sim::in_parallel(context.threads, context.progress, count, task);
}

// One result for each seed, in the order of the seeds. The result must not be bool.
template <typename Task>
auto for_each_seed(const Context &context, Task task) {
    using Result = decltype(task(std::uint64_t{}));
    std::vector<Result> results(context.seeds.size());
    in_parallel(context, results.size(),
                [&](std::size_t i) { results[i] = task(context.seeds[i]); });
    return results;
}

} // namespace vmall::sim::reproduce
