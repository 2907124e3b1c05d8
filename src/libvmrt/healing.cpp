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
// After which the others have a look at who has it: a read of /proc.
constexpr std::uint64_t long_turn_ns = 50'000'000;

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

void Healing::look_after_others(Turn &turn, std::uint64_t now) {
    if (!turn.is_anywhere() || turn.place_count() == 1)
        return;
    turn.give_if_free(turn.place(looked_after_++));
    watch(turn, now);
}

// One place until its turn ends, then the next.
void Healing::watch(Turn &turn, std::uint64_t now) {
    const std::uint32_t cpu = turn.place(watched_), token = load(turn.queue(cpu).token);
    if (cpu == turn.cpu() || token != watched_token_ ||
        load_relaxed(turn.queue(cpu).turns) != watched_turn_) {
        const vmall_runtime_queue &next = turn.queue(turn.place(++watched_));
        watched_token_ = load(next.token);
        watched_turn_ = load_relaxed(next.turns);
        watched_since_ = now;
    } else if (now - watched_since_ > long_turn_ns) {
        watched_since_ = now;
        if (!turn.is_free(cpu, token))
            release_from_absent(turn.page(), cpu, token);
    }
}

bool Healing::look_for_the_absent(Turn &turn, std::uint64_t now) {
    if (now - last_look_ <= patience_ns)
        return false;
    last_look_ = now;
    const Turn::Order &others = turn.others();
    for (std::uint32_t i = 0; i < others.count; ++i) {
        vmall_runtime_slot &rank = turn.page().slots[others.ranks[i]];
        if (load(rank.state) == VMALL_RUNTIME_ABSENT && load(rank.cpu_plus_1) != 0 &&
            (turn.is_anywhere() || load(rank.cpu_plus_1) == turn.cpu() + 1) &&
            activity_of(load(rank.owner)) == Activity::runnable)
            replace(rank.state, std::uint32_t{VMALL_RUNTIME_ABSENT},
                    std::uint32_t{VMALL_RUNTIME_RUNNING});
    }
    return true;
}

Healing::Suspect Healing::suspect(Turn &turn) {
    const std::uint32_t cpu = turn.roams() ? turn.place(judged_++) : turn.home();
    return {cpu, load(turn.queue(cpu).token)};
}

void Healing::judge(Turn &turn, const Suspect &suspect) {
    const auto [cpu, token] = suspect;
    if (load(turn.queue(cpu).token) == token &&
        (turn.is_free(cpu, token) || release_from_absent(turn.page(), cpu, token)))
        turn.take(cpu, token);
}

void Healing::bury_the_dead(Turn &turn, std::uint64_t now) {
    if (now - last_burial_ <= burial_period_ns)
        return;
    last_burial_ = now;
    free_slots_of_the_dead(turn.page());
}

} // namespace vmall::runtime
