// SPDX-License-Identifier: GPL-2.0-or-later
//
// A counter that the threads take task numbers from.
#include "sim/engine/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace vmall::sim {

void in_parallel(int threads, const Progress &progress, std::size_t count,
                 const std::function<void(std::size_t)> &task) {
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};

    const auto work = [&] {
        for (std::size_t i = next++; i < count && !failed; i = next++) {
            try {
                if (progress.stop)
                    throw Stopped{};
                task(i);
            } catch (...) {
                failures[i] = std::current_exception();
                failed = true;
            }
        }
    };

    const std::size_t wanted = static_cast<std::size_t>(std::max(1, threads));
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min(wanted, count); i++)
        helpers.emplace_back(work);
    work();
    for (std::thread &helper : helpers)
        helper.join();
    for (const std::exception_ptr &failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

} // namespace vmall::sim
