// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two private tables lead to slots: endpoint to slot by address, and sender's name to slot by what
// the senders call themselves. What they say is checked against the slot at every use.
#include "libvmrt/messages.hpp"

#include "libvmrt/next_rank.hpp"
#include "libvmrt/rank.hpp"
#include "libvmrt/shared_word.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace vmall::runtime {
namespace {

constexpr std::uint32_t longest_pause = 4096; // messages between two searches of the page
// Of messages as long as this the sender keeps the data until the receiver has fetched them. (UCX
// decides by transport; a few thousand bytes more or less do no harm.)
constexpr std::size_t bytes_to_fetch = 8192;
constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;

// Never 0. The first bytes of a UCX address hold the 64 random bits that name its worker.
std::uint64_t digest(const void *address) {
    std::uint64_t words[Messages::address_bytes / sizeof(std::uint64_t)];
    std::memcpy(words, address, sizeof words);
    return ((words[0] * multiplier) ^ (words[0] >> 32) ^ words[1]) * multiplier | 1;
}

// What a sender calls itself; 0 stands for nobody.
std::uint32_t name_in(std::uint64_t tag) {
    return static_cast<std::uint32_t>(tag >> 32) + 1;
}

// The slot for which `is_it` holds; of several the one with the highest `weight`.
template <typename Predicate>
std::uint32_t find_slot_plus_1(const vmall_runtime_page &page, const std::uint32_t *weight,
                               Predicate is_it) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < VMALL_RUNTIME_SLOTS; ++i)
        if (is_it(page.slots[i]) && (found == 0 || weight[i] > weight[found - 1]))
            found = i + 1;
    return found;
}

template <typename Predicate>
std::uint32_t slot_plus_1_of(Acquaintance &whom, const vmall_runtime_page &page,
                             const std::uint32_t *weight, Predicate is_it) {
    if (whom.slot_plus_1 != 0 && is_it(page.slots[whom.slot_plus_1 - 1]))
        return whom.slot_plus_1;
    if (whom.pause > 0) {
        --whom.pause;
        return 0;
    }
    whom.slot_plus_1 = find_slot_plus_1(page, weight, is_it);
    if (whom.slot_plus_1 != 0) {
        whom.next_pause = 0;
    } else {
        whom.pause = whom.next_pause;
        whom.next_pause = whom.next_pause < longest_pause ? 2 * whom.next_pause + 1 : longest_pause;
    }
    return whom.slot_plus_1;
}

// That there is something by which it may go on.
void tell(vmall_runtime_slot &rank) {
    __atomic_fetch_add(&rank.news, 1, __ATOMIC_RELAXED);
}

bool is_nobodys_business() {
    return this_rank.is_aside() || this_rank.seat().page == nullptr;
}

} // namespace

Messages messages;

struct Messages::Turn {
    explicit Turn(Messages &whose)
        : owner(whose), granted(!__atomic_exchange_n(&whose.busy_, true, __ATOMIC_ACQUIRE)) {}
    ~Turn() {
        if (granted)
            __atomic_store_n(&owner.busy_, false, __ATOMIC_RELEASE);
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    // Null if it is not this call's turn, or the process no attached rank (any more).
    vmall_runtime_slot *seat() {
        const Seat seat = this_rank.seat();
        if (!granted || seat.page == nullptr)
            return nullptr;
        page = seat.page;
        vmall_runtime_slot &slot = page->slots[seat.slot];
        if (load_relaxed(slot.address) != owner.own_address_) { // a new slot
            store_relaxed(slot.address, owner.own_address_);
            owner.spoke_as_ = 0;
        }
        return &slot;
    }

    Messages &owner;
    const bool granted;
    vmall_runtime_page *page = nullptr;
};

void Messages::listens_at(const void *address) {
    const Turn turn(*this);
    if (turn.granted)
        own_address_ = digest(address);
}

// The entry of `key`, or the free one where it belongs.
Acquaintance *Messages::endpoint(std::uint64_t key) {
    std::uint32_t i = static_cast<std::uint32_t>(key * multiplier >> 32);
    while (endpoints_[i & (room_ - 1)].key != 0 && endpoints_[i & (room_ - 1)].key != key)
        ++i;
    return &endpoints_[i & (room_ - 1)];
}

bool Messages::make_room() {
    if (2 * endpoint_count_ < room_)
        return true;
    Acquaintance *const old = endpoints_;
    const std::uint32_t old_room = room_, room = old_room == 0 ? 64 : 2 * old_room;
    auto *larger = static_cast<Acquaintance *>(std::calloc(room, sizeof *endpoints_));
    if (larger == nullptr)
        return false;
    endpoints_ = larger;
    room_ = room;
    for (std::uint32_t i = 0; i < old_room; ++i)
        if (old[i].key != 0)
            *endpoint(old[i].key) = old[i];
    std::free(old);
    return true;
}

void Messages::connected(const void *whereto, const void *address) {
    const Turn turn(*this);
    if (!turn.granted || !make_room())
        return;
    const std::uint64_t key = reinterpret_cast<std::uintptr_t>(whereto);
    Acquaintance *entry = endpoint(key);
    endpoint_count_ += entry->key == 0;
    *entry = {key, digest(address), 0, 0, 0};
}

void Messages::speak(vmall_runtime_slot &self, std::uint32_t as) {
    if (as == spoke_as_)
        return;
    spoke_as_ = as;
    if (!speaks(self, as))
        store_relaxed(self.speaks_as[next_voice_++ % VMALL_RUNTIME_VOICES], as);
}

void Messages::begin(vmall_runtime_slot &self) {
    store_relaxed(self.consumed, load_relaxed(self.arrived));
    store_relaxed(self.waits_for, 0u);
}

void Messages::sends(const void *whereto, std::uint64_t tag) {
    store_relaxed(sent_, load_relaxed(sent_) + 1);
    if (is_nobodys_business())
        return;
    Turn turn(*this);
    vmall_runtime_slot *const self = turn.seat();
    if (self == nullptr)
        return;
    publish(*self);
    speak(*self, name_in(tag));
    const std::uint32_t slot_plus_1 = slot_plus_1_behind(turn, whereto);
    if (slot_plus_1 == 0)
        return;
    ++sent_to_[slot_plus_1 - 1];
    vmall_runtime_slot &receiver = turn.page->slots[slot_plus_1 - 1];
    __atomic_fetch_add(&receiver.arrived, 1, __ATOMIC_RELAXED);
    const std::uint32_t awaited = load_relaxed(receiver.waits_for);
    if (awaited == 0 || awaited == name_in(tag))
        tell(receiver);
}

void Messages::signals(const void *whereto) {
    if (is_nobodys_business())
        return;
    Turn turn(*this);
    if (turn.seat() == nullptr)
        return;
    if (const std::uint32_t slot_plus_1 = slot_plus_1_behind(turn, whereto); slot_plus_1 != 0)
        tell(turn.page->slots[slot_plus_1 - 1]);
}

// 0: not known, or not on this node.
std::uint32_t Messages::slot_plus_1_behind(const Turn &turn, const void *whereto) {
    if (room_ == 0)
        return 0;
    Acquaintance &target = *endpoint(reinterpret_cast<std::uintptr_t>(whereto));
    if (target.key == 0)
        return 0;
    return slot_plus_1_of(target, *turn.page, sent_to_, [&](const vmall_runtime_slot &slot) {
        return load_relaxed(slot.address) == target.address && load_relaxed(slot.owner) != 0;
    });
}

void Messages::expects(std::uint64_t tag, std::uint64_t mask) {
    if (is_nobodys_business())
        return;
    Turn turn(*this);
    vmall_runtime_slot *const self = turn.seat();
    if (self == nullptr)
        return;
    const bool anybody = ~mask >> 32 != 0;
    store_relaxed(self->waits_for, anybody ? 0 : name_in(tag));
}

// 0: not known, on another node, or this rank itself.
std::uint32_t Messages::slot_plus_1_of_speaker(const Turn &turn, std::uint32_t name) {
    Acquaintance &speaker = voices_[(name * multiplier >> 32) % voices];
    if (speaker.key != name)
        speaker = {name, 0, 0, 0, 0};
    const vmall_runtime_slot *const self = &turn.page->slots[this_rank.seat().slot];
    return slot_plus_1_of(speaker, *turn.page, sent_to_, [&](const vmall_runtime_slot &slot) {
        return speaks(slot, name) && &slot != self;
    });
}

void Messages::took(std::uint64_t tag, std::size_t bytes) {
    if (is_nobodys_business())
        return;
    Turn turn(*this);
    vmall_runtime_slot *const self = turn.seat();
    if (self == nullptr)
        return;
    const std::uint64_t arrived = load_relaxed(self->arrived);
    const std::uint64_t consumed = load_relaxed(self->consumed);
    store_relaxed(self->consumed, consumed < arrived ? consumed + 1 : arrived);
    if (load_relaxed(self->waits_for) == name_in(tag))
        store_relaxed(self->waits_for, 0u);
    if (bytes < bytes_to_fetch)
        return;
    if (const std::uint32_t sender_plus_1 = slot_plus_1_of_speaker(turn, name_in(tag));
        sender_plus_1 != 0)
        tell(turn.page->slots[sender_plus_1 - 1]);
}

} // namespace vmall::runtime
