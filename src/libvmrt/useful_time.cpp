// SPDX-License-Identifier: GPL-2.0-or-later
//
// From one poll in vain to the next.
#include "libvmrt/useful_time.hpp"

namespace vmall::runtime {
namespace {

// More time between two polls than polling ever takes was used to compute.
constexpr std::uint64_t polling_ns = 10'000;

} // namespace

void UsefulTime::polled_in_vain(vmall_runtime_slot &slot, std::uint64_t now,
                                std::uint64_t turn_start, Measured measured) {
    const std::uint64_t length = now - (last_poll_ > turn_start ? last_poll_ : turn_start);
    const bool useful = load_relaxed(received_) || length > polling_ns;
    std::uint64_t useful_ns = useful ? length : 0;
    if (useful && measured == Measured::by_cpu_time)
        useful_ns = without_other_jobs(length);
    add(slot.useful_ns, useful_ns);
    add(slot.waiting_ns, length - useful_ns);
    if (useful) {
        useful_ = true;
        wait_start_ = now;
    }
    store_relaxed(received_, false);
    last_poll_ = now;
}

bool UsefulTime::take_useful() {
    const bool useful = useful_;
    useful_ = false;
    return useful;
}

// What others had of a CPU while the rank computed is none of its time. What the rank polled in
// vain before counts as if it was part of the stretch, which is little.
std::uint64_t UsefulTime::without_other_jobs(std::uint64_t length) {
    const std::uint64_t had = cpu_time_ns();
    const std::uint64_t since = had - had_;
    had_ = had;
    return since < length ? since : length;
}

} // namespace vmall::runtime
