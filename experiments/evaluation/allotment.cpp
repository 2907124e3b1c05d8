// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the job's control block as libvmrt does, and sleeps on its sequence.
#include "allotment.hpp"

#include "libvmrt/shared_word.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace vmall::evaluation {

namespace {

constexpr std::uint64_t longest_sleep_ns = 900'000'000; // futex_sleep takes less than a second

} // namespace

AllotmentWatch::AllotmentWatch() {
    const char *path = std::getenv(VMALL_ENV_CONTROL);
    if (path != nullptr && !control_.emplace().open(path))
        throw std::runtime_error(std::string(path) + " is no control block of root's");
}

std::optional<std::uint32_t> AllotmentWatch::runtime_key() const {
    return control_ ? std::optional(control_->runtime_key()) : std::nullopt;
}

std::optional<Share> AllotmentWatch::news() {
    if (!control_)
        return std::nullopt;
    seen_ = runtime::load(control_->sequence());
    if (seen_ == read_)
        return std::nullopt;
    runtime::ControlContent allotment;
    switch (control_->read(allotment, read_)) {
    case runtime::Reading::done:
        return Share{allotment.core_count, allotment.mpl};
    case runtime::Reading::torn:
        return std::nullopt; // whoever writes it wakes those who wait
    case runtime::Reading::invalid:
        break;
    }
    throw std::runtime_error("the control block says what cannot be");
}

void AllotmentWatch::wait(std::uint64_t nanoseconds) const {
    runtime::futex_sleep(control_ ? control_->sequence() : unwritten_, seen_,
                         std::min(nanoseconds, longest_sleep_ns));
}

} // namespace vmall::evaluation
