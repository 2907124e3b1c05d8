// SPDX-License-Identifier: GPL-2.0-or-later
//
// How deep a job on several nodes is folded: alike on all, as deep as where it has the least. Kept
// by the agent of its first node, by what the others say again and again.
#pragma once

#include "wire/agreement.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace vmall::agent {

class CommonDepth {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Holds until then.
    void hear(const wire::Wish &wish, Time until);
    // 0 as long as not all nodes have said it. Where some node cannot move the job, it is as deep
    // as there, also if others would fold it deeper.
    std::uint32_t agreed(std::uint32_t node_count, Time now) const;

  private:
    struct Heard {
        wire::Wish wish;
        Time until;
    };
    std::map<std::string, Heard> heard_; // by node
};

} // namespace vmall::agent
