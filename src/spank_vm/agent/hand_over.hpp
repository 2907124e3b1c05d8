// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a hand-over costs on this node. A thread of its own measures it once after each boot, when
// there is a CPU with time for it, and keeps it in the runtime directory for agents to come.
#pragma once

#include "spank_vm/agent/stopping.hpp"
#include "wire/hand_over.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace vmall::agent {

class HandOverPrice {
  public:
    // Nanoseconds; empty: there is no time for it now, so it is asked again.
    using Measure = std::function<std::optional<double>()>;

    // Starts the thread. `boot` names this boot of the node.
    HandOverPrice(const std::string &runtime_dir, std::string boot, Measure measure,
                  std::chrono::milliseconds until_next_try = std::chrono::minutes(1));
    HandOverPrice(const HandOverPrice &) = delete;
    HandOverPrice &operator=(const HandOverPrice &) = delete;
    ~HandOverPrice(); // stops, after the ring that is under way

    // Empty: not known yet. From any thread.
    std::optional<wire::HandOver> known() const;

  private:
    void run() noexcept;
    bool find_out();
    void note(const wire::HandOver &hand_over);

    const std::string file_;
    const std::string boot_;
    const Measure measure_;
    const std::chrono::milliseconds until_next_try_;
    Stopping stopping_;
    mutable std::mutex mutex_;
    std::optional<wire::HandOver> known_; // under mutex_
    std::thread thread_;
};

// Of the kernel that runs; empty if it does not tell.
std::string name_of_boot();

// As an agent of this boot has saved it: empty if there is none. Throws std::exception if the file
// is damaged.
std::optional<wire::HandOver> saved_hand_over(const std::string &file, const std::string &boot);
void save_hand_over(const std::string &file, const std::string &boot,
                    const wire::HandOver &hand_over);

} // namespace vmall::agent
