// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times stretches of a few polls. Those that are much longer than the shortest were a program's
// between two polls of its own, or another process'.
#include "libvmrt/polls.hpp"

namespace vmall::runtime {
namespace {

// No poll takes so long: the program has computed.
constexpr double longest_poll_ns = 10'000;
constexpr std::uint64_t longest_clock_ns = 10'000;
constexpr double alike = 1.25; // times as long, at most

} // namespace

void Polls::call() {
    increment(calls_);
    store(limit_, std::uint64_t{0});
}

void Polls::begin() {
    written_up_ = load_relaxed(polls_);
    thread_ = thread_time();
    attends_ = true;
    timing_ = false;
    tries_ = timed_ = 0;
}

void Polls::in_vain(vmall_runtime_slot &slot, bool stays) {
    if (timing_)
        take_time();
    end_if_enough(slot, stays);
    if (attends_)
        start_timing(stays);
}

void Polls::received(vmall_runtime_slot &slot, bool stays) {
    timing_ = false;
    end_if_enough(slot, stays);
}

void Polls::start_timing(bool stays) {
    timing_ = true;
    polls_at_start_ = load_relaxed(polls_);
    if (!stays)
        store(limit_, polls_at_start_ + batch);
    start_ = monotonic_ns();
}

// What reading the clock takes is no part of it; if that takes long, another process had the CPU.
void Polls::take_time() {
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t clock_ns = monotonic_ns() - now, took = now - start_;
    const auto polls = static_cast<double>(load_relaxed(polls_) - polls_at_start_);
    timing_ = false;
    if (polls > 0 && took > clock_ns && clock_ns < longest_clock_ns)
        times_[timed_++] = static_cast<double>(took - clock_ns) / polls;
}

void Polls::end_if_enough(vmall_runtime_slot &slot, bool stays) {
    if (!attends_ || (++tries_ < most_tries && timed_ < most_times))
        return;
    learn_time();
    write_up(slot);
    attends_ = false;
    tries_ = timed_ = 0;
    if (stays)
        return;
    step_aside();
    if (load(calls_) != answered_) // meanwhile
        store(limit_, std::uint64_t{0});
}

void Polls::learn_time() {
    double least = longest_poll_ns, sum = 0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < timed_; ++i)
        least = times_[i] < least ? times_[i] : least;
    for (std::uint32_t i = 0; i < timed_; ++i)
        if (times_[i] < longest_poll_ns && times_[i] <= alike * least) {
            sum += times_[i];
            ++count;
        }
    if (count == 0)
        return;
    const double highest = poll_ns_ == 0 ? longest_poll_ns : poll_ns_ + poll_ns_ / 8 + 1;
    poll_ns_ = sum / count < highest ? sum / count : highest;
}

// Who stands in line does so while it polls as often as while it computes.
void Polls::write_up(vmall_runtime_slot &slot) {
    if (poll_ns_ == 0)
        return;
    const std::uint64_t polls = load_relaxed(polls_);
    const ThreadTime before = thread_, now = thread_time();
    double waited = static_cast<double>(polls - written_up_) * poll_ns_;
    if (now.ran_ns > before.ran_ns && now.stood_in_line_ns > before.stood_in_line_ns) {
        const auto ran = static_cast<double>(now.ran_ns - before.ran_ns);
        waited = waited < ran ? waited : ran;
        waited *= 1 + static_cast<double>(now.stood_in_line_ns - before.stood_in_line_ns) / ran;
    }
    add(slot.waiting_ns, static_cast<std::uint64_t>(waited));
    written_up_ = polls;
    thread_ = now;
}

} // namespace vmall::runtime
