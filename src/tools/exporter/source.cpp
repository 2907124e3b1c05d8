// SPDX-License-Identifier: GPL-2.0-or-later
//
// One thread asks, others wait for it.
#include "tools/exporter/source.hpp"

#include <exception>
#include <string>
#include <utility>

namespace vmall::exporter {

Source::Source(Ask ask, Report report, Clock::duration fresh)
    : ask_(std::move(ask)), report_(std::move(report)), fresh_(fresh) {
    thread_ = std::thread(&Source::run, this);
}

Source::~Source() {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

std::shared_ptr<const Metrics> Source::metrics(Clock::duration patience) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (questions_ && Clock::now() - answered_at_ < fresh_)
        return answer_;
    const std::uint64_t before = questions_;
    wanted_ = true;
    changed_.notify_all();
    const bool answered = changed_.wait_for(lock, patience, [&] { return questions_ > before; });
    return answered ? answer_ : nullptr;
}

void Source::run() noexcept {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return wanted_ || stopping_; });
        if (stopping_)
            return;
        lock.unlock();
        auto found = answer();
        lock.lock();
        wanted_ = false;
        answer_ = std::move(found);
        answered_at_ = Clock::now();
        ++questions_;
        changed_.notify_all();
    }
}

std::shared_ptr<const Metrics> Source::answer() noexcept {
    std::shared_ptr<const Metrics> metrics;
    std::string problem;
    try {
        metrics = std::make_shared<const Metrics>(ask_());
    } catch (const std::exception &error) {
        problem = error.what();
    }
    if (problem != problem_)
        report_(problem);
    problem_ = std::move(problem);
    return metrics;
}

} // namespace vmall::exporter
