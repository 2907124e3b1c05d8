// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is going to happen to running jobs.
#include "sim/engine/event_queue.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::sim {

namespace {

struct Later {
    bool operator()(const Event &left, const Event &right) const {
        return std::tie(left.time, left.kind, left.job, left.stamp) >
               std::tie(right.time, right.kind, right.job, right.stamp);
    }
};

} // namespace

void EventQueue::push(const Event &event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), Later());
}

void EventQueue::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    heap_.pop_back();
}

} // namespace vmall::sim
