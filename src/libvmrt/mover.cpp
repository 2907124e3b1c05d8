// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched_setaffinity for oneself and for others.
#include "libvmrt/mover.hpp"

#include "libvmrt/affinity.hpp"
#include "libvmrt/shared_word.hpp"

#include <cstring>

namespace vmall::runtime {

void Mover::use(vmall_runtime_page *page, const Share &share) {
    page_ = page;
    share_ = &share;
    place_count_ = share.places();
    std::memset(place_of_, 0, sizeof place_of_);
    for (std::uint32_t i = 0; i < place_count_; ++i)
        place_of_[share.first_cpu(i)] = static_cast<std::uint16_t>(i + 1);
    own_place_ = place_of_[share.home()] - 1u;
    // The follower has bound us.
    arrived_at_ = share.roams() ? VMALL_RUNTIME_CPUS : std::uint32_t{share.home()};
}

std::uint32_t Mover::place(std::uint32_t number) const {
    return share_->first_cpu(
        static_cast<std::uint32_t>((std::uint64_t{own_place_} + number) % place_count_));
}

void Mover::send(std::uint32_t slot, std::uint32_t cpu) {
    vmall_runtime_slot &rank = page_->slots[slot];
    cpu_set_t cpus;
    if (load_relaxed(rank.ran_on_plus_1) == cpu + 1 || !find(cpu, cpus))
        return;
    store_relaxed(rank.ran_on_plus_1, cpu + 1);
    const Owner owner = load(rank.owner);
    if (!is_process(slot, owner))
        return;
    sched_setaffinity(static_cast<pid_t>(owner >> 32), sizeof cpus, &cpus);
}

void Mover::arrive(std::uint32_t cpu, bool roams) {
    vmall_runtime_slot &self = page_->slots[share_->slot];
    // Who heard late that the queue is not global any more may have sent us elsewhere.
    if (cpu == arrived_at_ && !roams && load_relaxed(self.ran_on_plus_1) == cpu + 1)
        return;
    const int now = sched_getcpu();
    if (cpu == arrived_at_ && now == static_cast<int>(cpu))
        return;
    cpu_set_t cpus;
    if (!find(cpu, cpus))
        return;
    if (now < 0 || !CPU_ISSET(now, &cpus))
        bind_this_thread(cpus);
    if (cpu != arrived_at_ && CPU_COUNT(&cpus) > 1)
        bind_other_threads(cpus, Narrower::widens, share_->follower);
    arrived_at_ = cpu;
    store_relaxed(self.ran_on_plus_1, cpu + 1);
}

// A rank that leaves the queue has taken its next share already, which may have fewer places than
// the one we know.
bool Mover::find(std::uint32_t cpu, cpu_set_t &cpus) const {
    const std::uint32_t place = place_of_[cpu] - 1u;
    if (!share_->reachable || place >= share_->places())
        return false;
    cpus = share_->cpus_of(place);
    return true;
}

// The page may hold anything. A process is looked up once.
bool Mover::is_process(std::uint32_t slot, Owner owner) {
    if (owner != known_[slot] && owner != 0 && !is_gone(owner))
        known_[slot] = owner;
    return owner != 0 && owner == known_[slot];
}

} // namespace vmall::runtime
