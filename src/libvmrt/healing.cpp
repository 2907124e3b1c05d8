// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whoever looks reads what the others do from /proc, which is slow, so seldom.
#include "libvmrt/healing.hpp"

#include "libvmrt/shared_word.hpp"

namespace vmall::runtime {
namespace {

constexpr std::uint64_t burial_period_ns = 2'000'000'000;
// From claiming a rank to passing it the token, unless whoever does so is stopped.
constexpr std::uint64_t longest_claim_ns = 1'000'000;

// False if whoever has the turn there may compute.
bool release_from_absent(vmall_runtime_page &page, std::uint32_t cpu, std::uint32_t token) {
    vmall_runtime_slot &holder = page.slots[token - 1];
    const Owner owner = load(holder.owner);
    const std::uint32_t state = load(holder.state);
    const Activity activity = activity_of(owner);
    if (activity == Activity::runnable)
        return false;
    if (activity == Activity::gone)
        free_slot(page, token - 1, owner);
    else // until it says otherwise itself
        replace(holder.state, state, std::uint32_t{VMALL_RUNTIME_ABSENT});
    replace(holder.turn_on_plus_1, cpu + 1, 0u);
    return true;
}

} // namespace

void Healing::drop_stale_claim(Turn &turn, std::uint64_t now) {
    const std::uint32_t on = load(turn.self().turn_on_plus_1);
    if (on != claim_) {
        claim_ = on;
        claimed_since_ = now;
    } else if (on != 0 && now - claimed_since_ > longest_claim_ns) {
        replace(turn.self().turn_on_plus_1, on, 0u);
    }
}

bool Healing::look_for_the_absent(Turn &turn, std::uint64_t now) {
    if (now - last_look_ <= patience_ns)
        return false;
    last_look_ = now;
    const Turn::Order &others = turn.others();
    for (std::uint32_t i = 0; i < others.count; ++i) {
        vmall_runtime_slot &rank = turn.page().slots[others.ranks[i]];
        if (load(rank.state) == VMALL_RUNTIME_ABSENT && load(rank.cpu_plus_1) == turn.cpu() + 1 &&
            activity_of(load(rank.owner)) == Activity::runnable)
            replace(rank.state, std::uint32_t{VMALL_RUNTIME_ABSENT},
                    std::uint32_t{VMALL_RUNTIME_RUNNING});
    }
    return true;
}

void Healing::judge(Turn &turn, std::uint32_t token) {
    if (load(turn.queue(turn.home()).token) == token &&
        (turn.is_free(token) || release_from_absent(turn.page(), turn.home(), token)))
        turn.take(token);
}

void Healing::bury_the_dead(Turn &turn, std::uint64_t now) {
    if (now - last_burial_ <= burial_period_ns)
        return;
    last_burial_ = now;
    free_slots_of_the_dead(turn.page());
}

} // namespace vmall::runtime
