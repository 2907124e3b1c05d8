// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread for each piece of work that may take a while, a bounded number at once. Not to be used
// by several threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <future>
#include <system_error>
#include <utility>
#include <vector>

namespace vmall::common {

class Workers { // the destructor waits for them
  public:
    explicit Workers(std::size_t most) : most_(most) {}

    // False if as many are at work, or if there is no thread to be had.
    template <typename Work>
    bool begin(Work work) {
        forget_finished();
        if (threads_.size() >= most_)
            return false;
        try {
            threads_.push_back(std::async(std::launch::async, std::move(work)));
            return true;
        } catch (const std::system_error &) {
            return false;
        }
    }

  private:
    void forget_finished() {
        const auto finished = [](const std::future<void> &thread) {
            return thread.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        };
        threads_.erase(std::remove_if(threads_.begin(), threads_.end(), finished), threads_.end());
    }

    std::size_t most_;
    std::vector<std::future<void>> threads_;
};

} // namespace vmall::common
