// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tokens and claims, changed by compare-and-swap.
#include "libvmrt/turn.hpp"

#include "libvmrt/shared_word.hpp"

#include <initializer_list>

namespace vmall::runtime {
namespace {

constexpr std::uint32_t nobody = 0; // as a token
constexpr int tries_to_claim = 4;   // each fails because another CPU was faster

} // namespace

void Turn::attach(vmall_runtime_page *page, std::uint32_t slot) {
    page_ = page;
    slot_ = slot;
}

void Turn::use(const Share &share, vmall_next_rank rule) {
    rule_ = rule;
    peers_.begin();
    for (std::uint32_t i = 0; i < share.place.peer_count; ++i)
        peers_.append(share.place.peers[i], slot_);
    everybody_.begin();
    for (const bool after_us : {true, false})
        for (std::uint32_t i = 0; i < share.member_count; ++i)
            if (const std::uint32_t slot = share.members[i].slot;
                slot != slot_ && (slot > slot_) == after_us)
                everybody_.append(slot, slot_);
    home_ = share.home();
    store(self().cpu_plus_1, home_ + 1);
}

const Turn::Order &Turn::others() const {
    return is_at_home() ? peers_ : everybody_;
}

bool Turn::is_held() {
    const std::uint32_t on = load(self().turn_on_plus_1);
    if (on == 0 || on > VMALL_RUNTIME_CPUS || load(queue(on - 1).token) != slot_ + 1)
        return false;
    cpu_ = on - 1;
    return true;
}

bool Turn::is_free(std::uint32_t token) const {
    if (token == nobody || token > VMALL_RUNTIME_SLOTS)
        return true;
    const vmall_runtime_slot &holder = page_->slots[token - 1];
    return load(holder.owner) == 0 || load(holder.turn_on_plus_1) != home_ + 1 ||
           load(holder.cpu_plus_1) != home_ + 1;
}

bool Turn::take(std::uint32_t token) {
    if (!replace(self().turn_on_plus_1, 0u, home_ + 1))
        return false; // we are being handed another one
    if (!replace(queue(home_).token, token, slot_ + 1)) {
        replace(self().turn_on_plus_1, home_ + 1, 0u);
        return false;
    }
    cpu_ = home_;
    return true;
}

bool Turn::take_free() {
    const std::uint32_t token = load(queue(home_).token);
    return is_free(token) && take(token);
}

Line Turn::line() const {
    const Order &order = others();
    return {order.ranks, order.count, order.own_place, cpu_};
}

bool Turn::others_have_news() const {
    return has_news(*page_, line());
}

std::uint32_t Turn::next_ready() {
    return choose_next(rule_, *page_, line(), slot_, load_relaxed(queue(cpu_).turns));
}

// To a rank that we have claimed.
bool Turn::pass_token(std::uint32_t next) {
    if (replace(queue(cpu_).token, slot_ + 1, next + 1))
        return true;
    replace(page_->slots[next].turn_on_plus_1, cpu_ + 1, 0u);
    return false;
}

Turn::Given Turn::give() {
    for (int i = 0; i < tries_to_claim; ++i) {
        const std::uint32_t next = next_ready();
        if (next == no_slot)
            break;
        if (!replace(page_->slots[next].turn_on_plus_1, 0u, cpu_ + 1))
            continue;
        const bool given = pass_token(next);
        // Only now: nobody shall see the token name a rank that does not know of it.
        replace(self().turn_on_plus_1, cpu_ + 1, 0u);
        if (!given)
            return Given::lost_before;
        store_relaxed(queue(cpu_).turns, load_relaxed(queue(cpu_).turns) + 1);
        add(self().switches, 1);
        wake_if_waiting(next);
        return Given::away;
    }
    return Given::to_nobody;
}

void Turn::hand_back() {
    if (give() != Given::to_nobody)
        return;
    replace(queue(cpu_).token, slot_ + 1, nobody);
    replace(self().turn_on_plus_1, cpu_ + 1, 0u);
}

void Turn::wake_if_waiting(std::uint32_t slot) {
    if (load(page_->slots[slot].state) != VMALL_RUNTIME_WAITING)
        return;
    increment(page_->slots[slot].wake);
    futex_wake_one(page_->slots[slot].wake);
}

} // namespace vmall::runtime
