// SPDX-License-Identifier: GPL-2.0-or-later
//
// The token and the futexes of the ranks that share a CPU.
#include "libvmrt/run_queue.hpp"

#include "libvmrt/shared_word.hpp"

#include <cstring>
#include <sched.h>

namespace vmall::runtime {
namespace {

constexpr std::uint32_t nobody = 0; // as a token
constexpr std::uint64_t burial_period_ns = 2'000'000'000;
// A turn that lasts longer than polling ever does was used to compute.
constexpr std::uint64_t empty_turn_ns = 10'000;
// After so many rounds in vain (some milliseconds) what we wait for is far away: stop burning the
// CPU.
constexpr std::uint32_t rounds_before_rest = 500;
constexpr std::uint64_t rest_ns = 50'000;

} // namespace

void RunQueue::attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner) {
    page_ = page;
    slot_ = slot;
    owner_ = owner;
}

void RunQueue::join(std::uint32_t cpu, const std::uint16_t *peers, std::uint32_t peer_count) {
    if (joined_ && cpu != cpu_)
        leave();
    std::memcpy(peers_, peers, peer_count * sizeof *peers);
    peer_count_ = peer_count;
    if (joined_)
        return;
    cpu_ = cpu;
    store(self().cpu_plus_1, cpu + 1);
    store(self().state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    turn_start_ = monotonic_ns();
    joined_ = true;
}

void RunQueue::leave() {
    if (!joined_)
        return;
    store(self().cpu_plus_1, 0u);
    const std::uint32_t next = next_ready();
    if (replace(queue().token, slot_ + 1, next == no_slot ? nobody : next + 1) && next != no_slot)
        wake_if_waiting(next);
    joined_ = false;
}

void RunQueue::give_way(bool yielding) {
    const std::uint32_t token = load(queue().token);
    if (token != slot_ + 1) {
        if (token == nobody || !belongs_here(token - 1)) {
            replace(queue().token, token, slot_ + 1);
            return;
        }
    }
    const std::uint32_t next = next_ready();
    if (next == no_slot) {
        if (yielding)
            sched_yield();
        return;
    }
    const std::uint64_t now = monotonic_ns();
    end_turn(now);
    if (token == slot_ + 1)
        rest(yielding);
    // Before the token goes: whoever passes it back must see that we have to be woken.
    store(self().state, std::uint32_t{VMALL_RUNTIME_WAITING});
    if (token != slot_ + 1 || hand_over(next))
        sleep_until_turn(now);
    store(self().state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    add(self().waits, 1);
    turn_start_ = monotonic_ns();
    add(self().waiting_ns, turn_start_ - now);
}

bool RunQueue::belongs_here(std::uint32_t slot) const {
    return slot < VMALL_RUNTIME_SLOTS && load(page_->slots[slot].owner) != 0 &&
           load(page_->slots[slot].cpu_plus_1) == cpu_ + 1;
}

// A rank that computes without having the turn (it found a message when its patience ended) is as
// welcome to it as one that waits: else those who wait would poll against it.
std::uint32_t RunQueue::next_ready() const {
    for (std::uint32_t i = 0; i < peer_count_; ++i) {
        const std::uint32_t peer = peers_[i];
        const std::uint32_t state = load(page_->slots[peer].state);
        if (belongs_here(peer) &&
            (state == VMALL_RUNTIME_WAITING || state == VMALL_RUNTIME_RUNNING))
            return peer;
    }
    return no_slot;
}

void RunQueue::wake_if_waiting(std::uint32_t slot) {
    if (load(page_->slots[slot].state) != VMALL_RUNTIME_WAITING)
        return;
    increment(page_->slots[slot].wake);
    futex_wake_one(page_->slots[slot].wake);
}

void RunQueue::end_turn(std::uint64_t now) {
    const std::uint64_t length = now - turn_start_;
    const bool useful = received_ || length > empty_turn_ns;
    received_ = false;
    add(useful ? self().useful_ns : self().waiting_ns, length);
    store_relaxed(queue().empty_turns, useful ? 0 : load_relaxed(queue().empty_turns) + 1);
    if (now - last_burial_ > burial_period_ns) {
        last_burial_ = now;
        free_slots_of_the_dead(*page_);
    }
}

void RunQueue::rest(bool yielding) {
    const std::uint32_t rounds = load_relaxed(queue().empty_turns) / (peer_count_ + 1);
    if (rounds >= rounds_before_rest)
        futex_sleep(self().wake, load(self().wake), rest_ns);
    else if (yielding && rounds > 0)
        sched_yield();
}

bool RunQueue::hand_over(std::uint32_t next) {
    if (!replace(queue().token, slot_ + 1, next + 1))
        return false;
    add(self().switches, 1);
    wake_if_waiting(next);
    return true;
}

void RunQueue::sleep_until_turn(std::uint64_t start) {
    const std::uint32_t token_before = load(queue().token);
    for (std::uint64_t waited = 0; waited < patience_ns; waited = monotonic_ns() - start) {
        const std::uint32_t wakes = load(self().wake);
        if (load(queue().token) == slot_ + 1)
            return;
        if (!futex_sleep(self().wake, wakes, patience_ns - waited))
            break;
    }
    if (load(queue().token) == token_before)
        judge(token_before);
}

void RunQueue::judge(std::uint32_t token) {
    const std::uint32_t holder = token - 1;
    if (token == nobody || !belongs_here(holder)) {
        replace(queue().token, token, slot_ + 1);
        return;
    }
    const Owner owner = load(page_->slots[holder].owner);
    const std::uint32_t state = load(page_->slots[holder].state);
    const Activity activity = activity_of(owner);
    if (activity == Activity::runnable)
        return;
    if (activity == Activity::gone)
        free_slot(*page_, holder, owner);
    else // until it says otherwise itself
        replace(page_->slots[holder].state, state, std::uint32_t{VMALL_RUNTIME_ABSENT});
    replace(queue().token, token, slot_ + 1);
}

} // namespace vmall::runtime
