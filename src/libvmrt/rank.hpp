// SPDX-License-Identifier: GPL-2.0-or-later
//
// This process as a rank of a virtually malleable job.
#pragma once

#include "libvmrt/control_view.hpp"
#include "libvmrt/follower.hpp"
#include "libvmrt/polls.hpp"
#include "libvmrt/run_queue.hpp"
#include "libvmrt/shared_word.hpp"

namespace vmall::runtime {

struct Seat {
    vmall_runtime_page *page;
    std::uint32_t slot;
};

// There is one, in static storage, all zeros at the start: a process that never enters MPI never
// touches it. idle() and received() may be called by several threads, leave() not.
class Rank {
  public:
    // The MPI library is about to poll for messages. True: what comes of it need not be told.
    bool lets_pass() { return polls_.pass(); }
    bool lets_next_pass() const { return polls_.next_passes(); }

    // It takes no turns, or the kernel gives them, and nobody asks whom it exchanges messages with.
    bool is_aside() const { return polls_.is_aside() || load_relaxed(is_kernels_); }

    // The MPI library polled for messages: in vain, or not. The first poll attaches: a rank may
    // compute for long before it ever polls in vain. `engine` saw it.
    void idle(vmall_runtime_engine engine);
    void received(vmall_runtime_engine engine) {
        if (load_relaxed(takes_turns_))
            queue_.received();
        else if (load_relaxed(phase_) == Phase::fresh)
            idle(engine);
        else if (load_relaxed(phase_) == Phase::attached)
            received_aside();
    }

    // The program calls MPI, and may have to wait. Any thread may say so.
    void calls() { store_relaxed(calls_, load_relaxed(calls_) + 1); }

    // Nobody knows the program's MPI library: tells the agent. If it polls where an engine sees it,
    // that serves it all the same.
    void note_unknown_library();

    // Where the others find this rank; no page while it is not attached. Any thread may ask.
    Seat seat() const {
        const std::uint32_t slot_plus_1 = load(slot_plus_1_);
        return slot_plus_1 != 0 ? Seat{page_, slot_plus_1 - 1} : Seat{nullptr, 0};
    }

    // The process ends or is done with MPI: from now on idle() does nothing.
    void leave();

  private:
    enum Phase : std::uint32_t { fresh, attached, detached };

    vmall_runtime_page *find_page();
    bool attach(vmall_runtime_engine engine);
    void enter(Phase phase);
    void take_share();
    void received_aside();
    void look_after_idle_threads();
    void note_thread();
    void tell_calls();
    void give_way();
    static void forget_in_child();

    Phase phase_ = Phase::fresh;    // atomic, as the next three
    bool busy_ = false;             // a thread is in idle()
    std::uint32_t slot_plus_1_ = 0; // 0: not attached
    bool takes_turns_ = false;
    bool is_kernels_ = false; // atomic; who runs is left to the kernel
    pthread_t thread_ = 0;    // that was in idle() last
    bool yields_ = false;     // between polls, to processes of other jobs
    bool told_of_threads_ = false;
    std::uint32_t edition_ = 0; // of share_
    std::uint64_t calls_ = 0;   // atomic
    std::uint64_t told_calls_ = 0;
    ControlView control_;
    vmall_runtime_page *page_ = nullptr;
    Owner owner_ = 0;
    Follower follower_;
    RunQueue queue_;
    Polls polls_;
    Share share_ = {};
};

extern Rank this_rank;

} // namespace vmall::runtime
