// SPDX-License-Identifier: GPL-2.0-or-later
//
// Splits a snapshot into parts that have nothing to do with each other.
#include "policy/pools.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace vmall::policy {

namespace {

// Union-find over nodes.
class Groups {
  public:
    explicit Groups(std::size_t node_count) : parent_(node_count) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    std::size_t of(std::size_t node) {
        while (parent_[node] != node)
            node = parent_[node] = parent_[parent_[node]];
        return node;
    }

    void join(std::size_t left, std::size_t right) { parent_[of(left)] = of(right); }

  private:
    std::vector<std::size_t> parent_;
};

std::size_t any_node(const WaitingJob &job) {
    return job.eligible.empty() ? 0 : job.eligible.front().value;
}

Groups group_nodes(const Snapshot &snapshot) {
    const std::size_t node_count = snapshot.nodes.size();
    Groups groups(node_count);
    std::set<const void *> joined;
    for (const auto &job : snapshot.waiting) {
        if (!joined.insert(job.eligible.identity()).second)
            continue;
        for (const auto node : job.eligible)
            groups.join(any_node(job), node.value);
        for (std::size_t node = 0; job.eligible.empty() && node < node_count; node++)
            groups.join(any_node(job), node);
    }
    for (const auto &job : snapshot.running)
        for (const auto &part : job.allotment)
            groups.join(job.allotment.front().node.value, part.node.value);
    return groups;
}

} // namespace

std::vector<Pool> split_into_pools(const Snapshot &snapshot) {
    Groups groups = group_nodes(snapshot);
    std::vector<Pool> pools;
    std::map<std::size_t, std::size_t> pool_of_group;
    const auto add_pool = [&] {
        pools.emplace_back();
        pools.back().now = snapshot.now;
        pools.back().folding_cost = snapshot.folding_cost;
        pools.back().nodes.resize(snapshot.nodes.size());
    };

    for (const auto &job : snapshot.waiting) {
        const auto [entry, is_new] =
            pool_of_group.try_emplace(groups.of(any_node(job)), pools.size());
        if (is_new)
            add_pool();
        pools[entry->second].waiting.push_back(&job);
    }
    const std::size_t nobody_waits = pools.size();
    add_pool();
    const auto pool_of_node = [&](std::size_t node) -> Pool & {
        const auto entry = pool_of_group.find(groups.of(node));
        return pools[entry == pool_of_group.end() ? nobody_waits : entry->second];
    };
    for (std::size_t node = 0; node < snapshot.nodes.size(); node++)
        pool_of_node(node).nodes[node] = snapshot.nodes[node];
    for (const auto &job : snapshot.running)
        pool_of_node(job.allotment.front().node.value).running.push_back(&job);
    return pools;
}

bool has_malleable_job(const Pool &pool) {
    const auto malleable = [](const auto *job) { return job->virtually_malleable; };
    return std::any_of(pool.waiting.begin(), pool.waiting.end(), malleable) ||
           std::any_of(pool.running.begin(), pool.running.end(), malleable);
}

} // namespace vmall::policy
