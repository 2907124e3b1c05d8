// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by cores, by how many tasks the user lets go on a node, and by the memory for each CPU.
#include "plugins/sched_fjt/see/fewest_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace vmall::sched {

namespace {

// How many tasks of one job fit on nodes of one kind.
class Capacity {
  public:
    Capacity(const JobView &job, const NodeKind &kind)
        : kind_(kind), cores_per_task_(job.cores_per_task) {
        if (job.tasks_per_node > 0)
            most_on_one_ = static_cast<std::uint64_t>(job.tasks_per_node);
        if (job.memory.of_each_cpu)
            most_on_one_ =
                std::min(most_on_one_, kind.memory / job.memory.of_each_cpu /
                                           static_cast<std::uint64_t>(job.cpus_per_task));
    }

    int of_the_widest() const { return on_one(kind_.width); }

    // Equally many on each; there must be as many.
    int of(int nodes) const {
        const std::int64_t narrowest =
            on_one(kind_.widths_of_most[static_cast<std::size_t>(nodes - 1)]);
        return static_cast<int>(
            std::min<std::int64_t>(nodes * narrowest, std::numeric_limits<int>::max()));
    }

    // As many as there is room for on each.
    int fewest_for(int tasks) const {
        int nodes = 0;
        for (int room = 0; room < tasks && nodes < there(); nodes++)
            room += on_one(kind_.widths_of_most[static_cast<std::size_t>(nodes)]);
        return std::max(nodes, 1);
    }

    int of_all() const {
        const auto &widths = kind_.widths_of_most;
        const std::int64_t most =
            std::accumulate(widths.begin(), widths.end(), std::int64_t{0},
                            [&](std::int64_t sum, int width) { return sum + on_one(width); });
        return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
    }

  private:
    int there() const { return static_cast<int>(kind_.widths_of_most.size()); }

    int on_one(int width) const {
        const auto by_cores = static_cast<std::uint64_t>(width / cores_per_task_);
        return static_cast<int>(std::min(by_cores, most_on_one_));
    }

    const NodeKind &kind_;
    const int cores_per_task_;
    std::uint64_t most_on_one_ = std::numeric_limits<std::uint64_t>::max();
};

} // namespace

int fewest_nodes(const JobView &job, NodeKinds &kinds) {
    const NodeKind &kind = kinds.of(job.eligible);
    if (job.any_spread) {
        const Capacity capacity(job, kind);
        const policy::Sizes sizes = accepted_sizes(job);
        return capacity.fewest_for(
            sizes.largest_up_to(capacity.of_all()).value_or(sizes.smallest()));
    }
    const int there = static_cast<int>(kind.widths_of_most.size());
    const int most = job.max_nodes ? std::min(job.max_nodes, there) : there;
    if (job.min_nodes > most)
        return job.min_nodes;
    const Capacity capacity(job, kind);
    const policy::Sizes sizes = accepted_sizes(job);
    const int of_asked = job.min_nodes == 1 ? capacity.of_the_widest() : capacity.of(job.min_nodes);
    if (sizes.largest() <= of_asked)
        return job.min_nodes;
    int highest = of_asked;
    for (int nodes = job.min_nodes; nodes <= most; ++nodes)
        highest = std::max(highest, capacity.of(nodes));
    const int tasks = sizes.largest_up_to(highest).value_or(0);
    int nodes = job.min_nodes;
    if (tasks > of_asked)
        while (capacity.of(nodes) < tasks)
            ++nodes;
    return nodes;
}

} // namespace vmall::sched
