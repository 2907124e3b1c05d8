// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is going to happen to running jobs.
#pragma once

#include "sim/model/job.hpp"

#include <cstdint>
#include <vector>

namespace vmall::sim {

struct Event {
    enum class Kind : std::uint8_t {
        end,
        confirm,
        look,
        measure
    }; // events of the same time in this order

    Milliseconds time = 0;
    Kind kind = Kind::end;
    std::uint32_t job = 0; // index in the workload; events of the same time and kind in this order
    std::uint64_t stamp = 0; // void if the job has another one by then
};

// By time, then kind, then job.
class EventQueue {
  public:
    bool empty() const { return heap_.empty(); }
    const Event &next() const { return heap_.front(); }
    void push(const Event &event);
    void pop();

  private:
    std::vector<Event> heap_;
};

} // namespace vmall::sim
