// SPDX-License-Identifier: GPL-2.0-or-later
//
// Free cores over time, node by node.
#include "policy/profile.hpp"

#include "policy/time.hpp"

#include <algorithm>

namespace vmall::policy {

Profile::Profile(Seconds now, const Room &free)
    : node_count(free.size()), begins{now}, totals{cores_of(free)},
      cores_by_node(free.begin(), free.end()) {}

Profile::Step Profile::step_at(Seconds time) const {
    const auto next = std::upper_bound(begins.begin(), begins.end(), time);
    return static_cast<Step>(next - begins.begin()) - 1;
}

Profile::Step Profile::step_from(Seconds time) {
    const Step step = step_at(time);
    if (begins[step] == time)
        return step;
    const auto at = [&](auto &values, Step index) {
        return values.begin() + static_cast<std::ptrdiff_t>(index);
    };
    begins.insert(at(begins, step + 1), time);
    totals.insert(at(totals, step + 1), totals[step]);
    const std::vector<int> row(at(cores_by_node, step * node_count),
                               at(cores_by_node, (step + 1) * node_count));
    cores_by_node.insert(at(cores_by_node, (step + 1) * node_count), row.begin(), row.end());
    return step + 1;
}

void Profile::add(const CoreCounts &cores, Seconds begin, Seconds end, int sign) {
    const Step first = step_from(begin);
    const Step last = end == never ? begins.size() : step_from(end);
    for (Step step = first; step < last; step++) {
        for (const auto &part : cores) {
            cores_by_node[step * node_count + part.node.value] += sign * part.cores;
            totals[step] += sign * part.cores;
        }
    }
}

void Profile::give(const CoreCounts &cores, Seconds from) {
    add(cores, from, never, 1);
}

void Profile::take(const CoreCounts &cores, Seconds begin, Seconds end) {
    add(cores, begin, end, -1);
}

void Profile::give_back(const CoreCounts &cores, Seconds begin, Seconds end) {
    add(cores, begin, end, 1);
}

bool Profile::has(const CoreCounts &cores, Seconds begin, Seconds end) const {
    for (Step step = step_at(begin); step < begins.size() && begins[step] < end; step++) {
        for (const auto &part : cores)
            if (cores_by_node[step * node_count + part.node.value] < part.cores)
                return false;
    }
    return true;
}

Room Profile::always_free(Step first, Seconds end) const {
    const auto row = [&](Step step) {
        return cores_by_node.begin() + static_cast<std::ptrdiff_t>(step * node_count);
    };
    Room room(row(first), row(first + 1));
    for (Step step = first + 1; step < begins.size() && begins[step] < end; step++) {
        std::transform(
            room.begin(), room.end(), row(step), room.begin(),
            [](int left, int right) { return std::min(left, right); });
    }
    return room;
}

std::optional<Profile::Slot> Profile::first_slot(const WaitingJob &job, int processes,
                                                 const std::vector<Node> &nodes,
                                                 Seconds earliest) const {
    const int least = least_cores(job, processes, 1);
    for (Step step = step_at(earliest); step < begins.size(); step++) {
        const Seconds begin = std::max(begins[step], earliest);
        const Seconds end = later(begin, job.estimate);
        Step roomy = step;
        while (roomy < begins.size() && begins[roomy] < end && totals[roomy] >= least)
            roomy++;
        if (roomy < begins.size() && begins[roomy] < end) {
            step = roomy;
            continue;
        }
        const Room room = always_free(step, end);
        if (auto placement = place(job, processes, 1, nodes, usable(job, nodes, room)))
            return Slot{begin, *std::move(placement)};
    }
    return std::nullopt;
}

} // namespace vmall::policy
