// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks for metrics so that it does no harm who asks here, how often, or how slowly: in a thread of
// its own, one question at a time, and none while the last answer is fresh.
#pragma once

#include "wire/metrics.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace vmall::exporter {

using Metrics = std::vector<wire::MetricFamily>;

class Source {
  public:
    using Ask = std::function<Metrics()>; // throws if there is no answer, after whatever time
    // Of a problem that was not there before, or with an empty text, that there is none any more.
    using Report = std::function<void(const std::string &)>;
    using Clock = std::chrono::steady_clock;

    // An answer, or that there is none, is fresh for so long. `ask` and `report` are called in the
    // thread.
    Source(Ask ask, Report report, Clock::duration fresh);
    Source(const Source &) = delete;
    Source &operator=(const Source &) = delete;
    ~Source(); // waits for a question that is under way

    // From any thread. Null: there is no answer, or none in `patience`.
    std::shared_ptr<const Metrics> metrics(Clock::duration patience);

  private:
    void run() noexcept;
    std::shared_ptr<const Metrics> answer() noexcept;

    const Ask ask_;
    const Report report_;
    const Clock::duration fresh_;
    std::string problem_; // the thread's: the last one
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    bool wanted_ = false;
    std::uint64_t questions_ = 0; // that have come to an end
    Clock::time_point answered_at_{};
    std::shared_ptr<const Metrics> answer_;
    std::thread thread_;
};

} // namespace vmall::exporter
