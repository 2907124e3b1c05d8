// SPDX-License-Identifier: GPL-2.0-or-later
//
// Of the time from one poll to the next, the least counts: what is more was a program's between two
// polls of its own, or another process'.
#include "libvmrt/vain_polls.hpp"

namespace vmall::runtime {
namespace {

// No poll takes so long: the program has computed.
constexpr std::uint64_t longest_poll_ns = 10'000;

} // namespace

void VainPolls::measure(vmall_runtime_slot &slot) {
    if (load_relaxed(timing_)) {
        store_relaxed(timing_, false);
        const std::uint64_t took = monotonic_ns() - start_;
        const std::uint64_t highest = poll_ns_ == 0 ? longest_poll_ns : poll_ns_ + poll_ns_ / 8 + 1;
        if (took < longest_poll_ns)
            poll_ns_ = took < highest ? took : highest;
    }
    if (polls_ % batch != 0)
        return;
    add(slot.waiting_ns, batch * poll_ns_);
    if (polls_ % (batch * timed_of_batches) == 0) {
        start_ = monotonic_ns();
        store_relaxed(timing_, true);
    }
}

} // namespace vmall::runtime
