// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds on to a way, or measures windows.
#include "libvmrt/choice.hpp"

namespace vmall::runtime {

std::uint64_t Choice::look(std::uint64_t now, std::uint64_t progress) {
    switch (phase_) {
    case Phase::fresh:
        yields_ = preferred_ = false;
        expected_ = 0;
        hold_ns_ = shortest_hold_ns;
        return hold(now, progress, first_ns);
    case Phase::holding:
        return watch(now, progress);
    case Phase::warming_up:
        phase_ = Phase::measuring;
        start_ = now;
        progress_at_start_ = progress;
        return now + window_ns;
    case Phase::measuring:
        return measure(now, progress);
    }
    return now + sample_ns;
}

std::uint64_t Choice::hold(std::uint64_t now, std::uint64_t progress, std::uint64_t nanoseconds) {
    phase_ = Phase::holding;
    start_ = now;
    progress_at_start_ = progress;
    hold_end_ = now + nanoseconds;
    low_ = 0;
    return now + (nanoseconds < sample_ns ? nanoseconds : sample_ns);
}

double Choice::rate(std::uint64_t now, std::uint64_t progress) const {
    return now == start_ ? 0
                         : static_cast<double>(progress - progress_at_start_) /
                               static_cast<double>(now - start_);
}

std::uint64_t Choice::watch(std::uint64_t now, std::uint64_t progress) {
    if (now - start_ >= sample_ns) {
        low_ = preferred_ && rate(now, progress) < much_less * expected_ ? low_ + 1 : 0;
        start_ = now;
        progress_at_start_ = progress;
    }
    if (low_ >= patience)
        hold_ns_ = shortest_hold_ns;
    else if (now < hold_end_)
        return start_ + sample_ns < hold_end_ ? start_ + sample_ns : hold_end_;
    window_ = 0;
    return start_window(now, progress);
}

// The first and the last one are of the preferred way.
std::uint64_t Choice::start_window(std::uint64_t now, std::uint64_t progress) {
    const bool yields = (window_ == 0 || window_ == windows - 1) == preferred_;
    const bool changes = yields != yields_;
    yields_ = yields;
    start_ = now;
    progress_at_start_ = progress;
    phase_ = changes ? Phase::warming_up : Phase::measuring;
    return now + (changes ? warm_up_ns : window_ns);
}

std::uint64_t Choice::measure(std::uint64_t now, std::uint64_t progress) {
    if (progress - progress_at_start_ < least_events && now - start_ < longest_window_ns)
        return now + window_ns;
    rates_[window_++] = rate(now, progress);
    if (window_ == 2 && rates_[1] < hopeless * rates_[0])
        return end_trial(now, progress, false);
    if (window_ < windows)
        return start_window(now, progress);
    return end_trial(now, progress, other_is_better());
}

bool Choice::other_is_better() const {
    const double before = rates_[0] + rates_[3], other = rates_[1] + rates_[2];
    return rates_[1] > rates_[0] && rates_[2] > rates_[3] && other > least_gain * before;
}

std::uint64_t Choice::end_trial(std::uint64_t now, std::uint64_t progress, bool other_is_better) {
    const std::uint64_t longer = 2 * hold_ns_ < longest_hold_ns ? 2 * hold_ns_ : longest_hold_ns;
    const std::uint64_t hold_ns = hold_ns_;
    preferred_ = preferred_ != other_is_better;
    expected_ = rates_[other_is_better ? 1 : 0];
    hold_ns_ = other_is_better ? shortest_hold_ns : longer;
    yields_ = preferred_;
    return hold(now, progress, other_is_better ? shortest_hold_ns : hold_ns);
}

} // namespace vmall::runtime
