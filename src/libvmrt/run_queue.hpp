// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fewer CPUs than ranks: when a rank holds on to its turn, and when it sleeps.
//
// A rank keeps its turn while it computes; where it would poll in vain it hands the turn over and
// sleeps: at once if another rank has got a message, else when it has held on for a moment. Or the
// queues are the kernel's: the rank may go anywhere in the allotment, has no turns, and yields
// where it would poll in vain. choice.hpp says when, turn.hpp how a rank hands over, healing.hpp
// what becomes of a turn that got stuck, useful_time.hpp what the rank's time was spent on.
#pragma once

#include "libvmrt/healing.hpp"
#include "libvmrt/turn.hpp"
#include "libvmrt/useful_time.hpp"

namespace vmall::runtime {

class RunQueue {
  public:
    // Both live as long as the process; `slot` is the caller's, owned by `owner`.
    void attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner);

    // Enters the queue of the folded share's place; from now on turns go by the share's rules.
    // `share` stays as it is until the next call.
    void join(const Share &share);

    // Hands a held turn on.
    void leave();

    // Whether turns are left to the kernel.
    bool is_kernels() const { return is_kernels_; }

    void received() { time_.received(); }

    // By turns or at the same time: from now on all threads of the rank go where it goes.
    void use_by_several_threads() { has_several_threads_ = true; }

    // The rank has nothing to do. Returns when it keeps the turn or has one again, nobody else
    // wants it, or patience_ns have passed; in any case the rank shall poll now. With `yielding`, a
    // round of turns in vain lets processes of other jobs run.
    void give_way(bool yielding);

  private:
    void leave_to_kernel();
    void take_from_kernel();
    void bind() const;
    void yield(std::uint64_t now);
    bool take_free_turn(std::uint64_t now);
    bool has_heard_of_more();
    bool keeps_turn(std::uint64_t now) const;
    bool holds_on(std::uint64_t now) const;
    void end_turn(std::uint64_t now);
    void rest(bool yielding);
    void sleep_until_turn(std::uint64_t start);

    Owner owner_ = 0;
    bool pauses_ = false; // for others, on this kernel
    Rules rules_ = {};
    Turn turn_;
    Healing healing_;
    UsefulTime time_;
    const Share *share_ = nullptr;
    bool joined_ = false;
    bool is_kernels_ = false;
    bool has_several_threads_ = false; // in MPI
    std::uint64_t turn_start_ = 0;
    std::uint32_t heard_ = 0; // before the next poll
};

} // namespace vmall::runtime
