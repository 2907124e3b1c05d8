// SPDX-License-Identifier: GPL-2.0-or-later
//
// Free cores and memory over time, node by node.
#include "policy/queue/profile.hpp"

#include "policy/time.hpp"

#include <algorithm>

namespace vmall::policy {

Profile::Profile(Seconds now, const Room &free)
    : node_count_(free.size()), begins_{now}, totals_{cores_of(free)},
      cores_by_node_(free.begin(), free.end()), memory_by_node_(free.memory) {}

Profile::Step Profile::step_at(Seconds time) const {
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), time);
    return static_cast<Step>(next - begins_.begin()) - 1;
}

Profile::Step Profile::step_from(Seconds time) {
    const Step step = step_at(time);
    if (begins_[step] == time)
        return step;
    const auto at = [&](auto &values, Step index) {
        return values.begin() + static_cast<std::ptrdiff_t>(index);
    };
    begins_.insert(at(begins_, step + 1), time);
    totals_.insert(at(totals_, step + 1), totals_[step]);
    const auto repeat_row = [&](auto &values) {
        const std::vector row(at(values, step * node_count_), at(values, (step + 1) * node_count_));
        values.insert(at(values, (step + 1) * node_count_), row.begin(), row.end());
    };
    repeat_row(cores_by_node_);
    if (!memory_by_node_.empty())
        repeat_row(memory_by_node_);
    return step + 1;
}

void Profile::add(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin, Seconds end,
                  int sign) {
    const Step first = step_from(begin);
    const Step last = end == never ? begins_.size() : step_from(end);
    for (Step step = first; step < last; step++) {
        for (const auto &part : cores) {
            cores_by_node_[step * node_count_ + part.node.value] += sign * part.cores;
            totals_[step] += sign * part.cores;
        }
        if (!memory_by_node_.empty())
            for (const auto &part : memory)
                memory_by_node_[step * node_count_ + part.node.value] += sign * part.memory;
    }
}

void Profile::give(const CoreCounts &cores, const MemoryCounts &memory, Seconds from) {
    add(cores, memory, from, never, 1);
}

void Profile::take(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin,
                   Seconds end) {
    add(cores, memory, begin, end, -1);
}

void Profile::give_back(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin,
                        Seconds end) {
    add(cores, memory, begin, end, 1);
}

bool Profile::has(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin,
                  Seconds end) const {
    for (Step step = step_at(begin); step < begins_.size() && begins_[step] < end; step++) {
        for (const auto &part : cores)
            if (cores_by_node_[step * node_count_ + part.node.value] < part.cores)
                return false;
        if (!memory_by_node_.empty())
            for (const auto &part : memory)
                if (memory_by_node_[step * node_count_ + part.node.value] < part.memory)
                    return false;
    }
    return true;
}

Room Profile::always_free(Step first, Seconds end) const {
    const auto row = [&](const auto &values, Step step) {
        return values.begin() + static_cast<std::ptrdiff_t>(step * node_count_);
    };
    const auto keep_smaller = [&](auto &room, const auto &values, Step step) {
        std::transform(room.begin(), room.end(), row(values, step), room.begin(),
                       [](auto left, auto right) { return std::min(left, right); });
    };
    Room room(row(cores_by_node_, first), row(cores_by_node_, first + 1));
    if (!memory_by_node_.empty())
        room.memory.assign(row(memory_by_node_, first), row(memory_by_node_, first + 1));
    for (Step step = first + 1; step < begins_.size() && begins_[step] < end; step++) {
        keep_smaller(room, cores_by_node_, step);
        if (!memory_by_node_.empty())
            keep_smaller(room.memory, memory_by_node_, step);
    }
    return room;
}

std::optional<Profile::Slot> Profile::first_slot(const WaitingJob &job, int processes,
                                                 const std::vector<Node> &nodes,
                                                 Seconds earliest) const {
    const int least = least_cores(job, processes, 1);
    for (Step step = step_at(earliest); step < begins_.size(); step++) {
        const Seconds begin = std::max(begins_[step], earliest);
        const Seconds end = later(begin, job.estimate);
        Step roomy = step;
        while (roomy < begins_.size() && begins_[roomy] < end && totals_[roomy] >= least)
            roomy++;
        if (roomy < begins_.size() && begins_[roomy] < end) {
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
