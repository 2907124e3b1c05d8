// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a folded job gets on faster if its ranks hand over their places, or if they yield to each
// other anywhere in the allotment. Pure arithmetic on a count that grows as the job gets on.
//
// Once in a while both are tried: the way of before, the other twice, the way of before, a window
// each. The other is taken if the job got on faster by it in both pairs, by least_gain on average.
// The time to the next trial doubles as long as the way stays. Who yields gets little of CPUs that
// others want, too: where progress becomes much less than it was, both are tried at once.
#pragma once

#include <cstdint>

namespace vmall::runtime {

class Choice {
  public:
    static constexpr std::uint64_t first_ns = 100'000'000; // to the first trial
    static constexpr std::uint64_t warm_up_ns = 3'000'000, window_ns = 11'000'000;
    static constexpr std::uint64_t longest_window_ns = 10 * window_ns, least_events = 100;
    static constexpr std::uint64_t shortest_hold_ns = 1'500'000'000,
                                   longest_hold_ns = 30'000'000'000;
    static constexpr std::uint64_t sample_ns = 250'000'000;
    static constexpr std::uint32_t patience = 2; // samples in a row
    static constexpr double much_less = 0.6, hopeless = 0.8, least_gain = 1.03;

    // `now` never goes back; `progress` may be any number. Returns the time of the next look.
    std::uint64_t look(std::uint64_t now, std::uint64_t progress);

    bool yields() const { return yields_; }

    // As for a job that was just folded.
    void restart() { phase_ = Phase::fresh; }

  private:
    enum class Phase { fresh, holding, warming_up, measuring };
    static constexpr std::uint32_t windows = 4;

    std::uint64_t hold(std::uint64_t now, std::uint64_t progress, std::uint64_t nanoseconds);
    std::uint64_t watch(std::uint64_t now, std::uint64_t progress);
    std::uint64_t start_window(std::uint64_t now, std::uint64_t progress);
    std::uint64_t measure(std::uint64_t now, std::uint64_t progress);
    std::uint64_t end_trial(std::uint64_t now, std::uint64_t progress, bool other_is_better);
    bool other_is_better() const;
    double rate(std::uint64_t now, std::uint64_t progress) const;

    Phase phase_ = Phase::fresh;
    bool yields_ = false, preferred_ = false;
    std::uint64_t start_ = 0, progress_at_start_ = 0; // of a window or sample
    std::uint64_t hold_ns_ = 0, hold_end_ = 0;
    double expected_ = 0;   // rate by the preferred way when it was last tried
    std::uint32_t low_ = 0; // samples in a row
    std::uint32_t window_ = 0;
    double rates_[windows] = {};
};

} // namespace vmall::runtime
