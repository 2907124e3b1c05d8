// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a process of a job has of the machine, as its node's agent says; watched without polling.
#pragma once

#include "libvmrt/control_view.hpp"

#include <cstdint>
#include <optional>

namespace vmall::evaluation {

struct Share {
    std::uint32_t cores; // of the job on this node
    std::uint32_t mpl;
};

class AllotmentWatch {
  public:
    // The control block that the environment names. A job that is not virtually malleable has none,
    // and there never is any news. Throws std::runtime_error if it is there and cannot be used.
    AllotmentWatch();

    // Of the runtime page; nothing without a control block.
    std::optional<std::uint32_t> runtime_key() const;

    // What the agent has written since the last call; nothing if nothing.
    std::optional<Share> news();

    // Sleeps until there may be news, or `nanoseconds` have passed, or for no reason.
    void wait(std::uint64_t nanoseconds) const;

  private:
    static constexpr std::uint32_t never = 1; // odd, unlike the sequence of any reading

    std::optional<runtime::ControlView> control_;
    std::uint32_t unwritten_ = never; // what is waited for where there is no control block
    std::uint32_t read_ = never;      // the sequence that was read last
    std::uint32_t seen_ = never;      // the one that is there
};

} // namespace vmall::evaluation
