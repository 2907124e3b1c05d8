// SPDX-License-Identifier: GPL-2.0-or-later
//
// One CPU, several ranks: who has a turn. Blocking immediately with round-robin hand-off.
//
// The token of the CPU names the rank whose turn it is. It keeps the turn while it computes; where
// it would poll in vain it passes the token to the next rank and sleeps. A token that got stuck
// heals: no sleep is longer than patience_ns, and after it a holder that died, stopped, sleeps
// outside MPI or belongs to another CPU by now loses the token to the one who noticed.
#pragma once

#include "libvmrt/membership.hpp"

namespace vmall::runtime {

class RunQueue {
  public:
    // Both live as long as the process; `slot` is the caller's, owned by `owner`.
    void attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner);

    // Enters the queue of `cpu` (below VMALL_RUNTIME_CPUS) with these peers, leaving the one it was
    // in.
    void join(std::uint32_t cpu, const std::uint16_t *peers, std::uint32_t peer_count);

    // Hands a held token on.
    void leave();

    void received() { received_ = true; }

    // The rank has nothing to do. Returns when it has the turn (again), nobody else wants it, or
    // patience_ns have passed; in any case the rank shall poll now. With `yielding`, a round of
    // turns in vain lets processes of other jobs run.
    void give_way(bool yielding);

    static constexpr std::uint64_t patience_ns = 5'000'000;

  private:
    vmall_runtime_slot &self() { return page_->slots[slot_]; }
    vmall_runtime_queue &queue() { return page_->queues[cpu_]; }
    bool belongs_here(std::uint32_t slot) const;
    std::uint32_t next_ready() const;
    void wake_if_waiting(std::uint32_t slot);
    void end_turn(std::uint64_t now);
    void rest(bool yielding);
    bool hand_over(std::uint32_t next);
    void sleep_until_turn(std::uint64_t start);
    void judge(std::uint32_t token);

    vmall_runtime_page *page_ = nullptr;
    std::uint32_t slot_ = 0;
    Owner owner_ = 0;
    std::uint32_t cpu_ = 0;
    bool joined_ = false;
    bool received_ = false; // in this turn
    std::uint64_t turn_start_ = 0;
    std::uint64_t last_burial_ = 0;
    std::uint32_t peer_count_ = 0;
    std::uint16_t peers_[VMALL_RUNTIME_SLOTS] = {};
};

} // namespace vmall::runtime
