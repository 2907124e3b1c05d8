// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sleeps until the first is due.
#include "spank_vm/agent/rechecks.hpp"

#include "common/workers.hpp"

#include <chrono>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::chrono::milliseconds delay(200); // longer than a fork takes
constexpr std::size_t highest_thread_count = 8; // a look may take a second

} // namespace

Rechecks::Rechecks(Look look) : look_(std::move(look)), thread_([this] { run(); }) {}

Rechecks::~Rechecks() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Rechecks::later(std::uint32_t job) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        due_.put_off(job, DueJobs::Clock::now() + delay);
    }
    changed_.notify_all();
}

void Rechecks::run() {
    common::Workers workers(highest_thread_count);
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopped_) {
        const auto next = due_.next();
        if (!next) {
            changed_.wait(lock);
            continue;
        }
        changed_.wait_until(lock, *next);
        const auto jobs = due_.take(DueJobs::Clock::now());
        lock.unlock();
        for (const std::uint32_t job : jobs)
            if (!workers.begin([this, job] { look_(job); }))
                look_(job); // others wait meanwhile
        lock.lock();
    }
}

} // namespace vmall::agent
