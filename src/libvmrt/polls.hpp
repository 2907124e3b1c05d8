// SPDX-License-Identifier: GPL-2.0-or-later
//
// The way in of every poll. A rank that takes no turns steps aside: its polls are the MPI library's
// alone, but for a count, until the follower calls for attention, once a second or when there is a
// new share.
//
// What the rank waited is as many polls as it made, times what one takes, of which it times a few
// whenever it is called.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/thread_time.hpp"

#include <cstdint>

namespace vmall::runtime {

// In static storage, all zeros at the start. Only call() is for another thread than the rank's, and
// pass() for any: polls that meet may count as one.
class Polls {
  public:
    // Before each poll. True: nobody asks what comes of it.
    bool pass() {
        const std::uint64_t polls = load_relaxed(polls_) + 1;
        store_relaxed(polls_, polls);
        return polls < load_relaxed(limit_);
    }
    bool next_passes() const { return load_relaxed(polls_) + 1 < load_relaxed(limit_); }
    bool is_aside() const { return load_relaxed(limit_) == none; }

    // The rank shall attend to its next poll.
    void call();

    // Before the rank looks what it is called for.
    void answer() {
        const std::uint32_t calls = load(calls_);
        attends_ = attends_ || calls != answered_;
        answered_ = calls;
    }

    // The rank took turns, and from now on its polls count as waiting.
    void begin();

    // The last poll was in vain, or not. Once enough are timed, what the rank waited is in the
    // slot, and it steps aside unless it `stays`.
    void in_vain(vmall_runtime_slot &slot, bool stays);
    void received(vmall_runtime_slot &slot, bool stays);

    // Into the slot, what was counted so far.
    void write_up(vmall_runtime_slot &slot);

    // Until somebody calls.
    void step_aside() { store(limit_, none); }

  private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    // A multiple of 8: Open MPI asks some of its components in every eighth poll only.
    static constexpr std::uint32_t batch = 8, most_times = 12, most_tries = 64;

    void start_timing(bool stays);
    void take_time();
    void end_if_enough(vmall_runtime_slot &slot, bool stays);
    void learn_time();

    std::uint64_t polls_ = 0, limit_ = 0; // atomic: polls below the limit pass
    std::uint32_t calls_ = 0;             // atomic
    std::uint32_t answered_ = 0;
    bool attends_ = false;
    std::uint32_t tries_ = 0, timed_ = 0; // since it attends
    bool timing_ = false;
    std::uint64_t start_ = 0, polls_at_start_ = 0;
    double times_[most_times] = {}; // of a poll, nanoseconds
    double poll_ns_ = 0;            // 0: not known
    std::uint64_t written_up_ = 0;  // polls
    ThreadTime thread_ = {0, 0};    // when written up
};

} // namespace vmall::runtime
