// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the agents of a job's nodes agree on how deep it is folded (mode=node): each tells that of
// the first node what it would do, and is answered what all do. Nobody waits for it: a thread of
// its own asks, and what was answered holds for a while.
#pragma once

#include "spank_vm/agent/common_depth.hpp"
#include "spank_vm/agent/settings.hpp"
#include "spank_vm/agent/stopping.hpp"
#include "wire/exchanges.hpp"
#include "wire/seal.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace vmall::agent {

class Agreement {
  public:
    // What this node says of one of its jobs.
    struct Part {
        std::uint32_t job_id = 0;
        std::string first_node;
        std::uint32_t node_count = 2;
        std::uint32_t mpl = 1;
        bool is_fixed = false;
    };
    using Depths = std::map<std::uint32_t, std::uint32_t>; // by job, at least 1

    // Starts the thread. `changed` is told, in any thread, that agree() may say something else.
    Agreement(const Settings &settings, std::function<void()> changed);
    Agreement(const Agreement &) = delete;
    Agreement &operator=(const Agreement &) = delete;
    ~Agreement(); // stops, and hangs up

    // All jobs here that are on several nodes, as it is now. As deep are they folded whose nodes
    // agree; the others are not among the answer.
    Depths agree(const std::vector<Part> &parts);
    // What another node's agent says, who was found entitled to it.
    wire::Agreed answer(const wire::Wish &wish);

  private:
    using Time = CommonDepth::Time;
    struct Known {
        Part part;
        CommonDepth common;      // on the first node
        std::uint32_t depth = 0; // as last said, or answered
        Time until = {};         // the answer holds, elsewhere
        Time ask_at = {};        // elsewhere
        bool was_told = false;   // into the log, that nobody answers
    };

    void run() noexcept;
    void ask_who_is_due();
    void ask(const Part &part);
    void hear(std::uint32_t job_id, const wire::Reply &reply) noexcept;
    wire::Wish wish_of(const Part &part) const;
    bool is_first(const Part &part) const { return part.first_node == settings_.node_name; }

    const Settings settings_;
    const std::function<void()> changed_;
    const wire::Seal seal_;
    std::mutex mutex_;
    std::map<std::uint32_t, Known> known_; // under mutex_
    Stopping stopping_;
    wire::Exchanges exchanges_; // of our thread
    std::thread thread_;
};

} // namespace vmall::agent
