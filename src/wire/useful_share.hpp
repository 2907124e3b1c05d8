// SPDX-License-Identifier: GPL-2.0-or-later
//
// What part of its time on cores a job makes use of, and what folding it has cost: by the reports
// of its nodes, one after the other. The job itself writes what they report: it may lie, and gets
// then what a job like that gets.
#pragma once

#include "wire/rank_report.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vmall::wire {

// What a job had while its ranks did what is reported.
struct Held {
    int tasks = 1;
    int cores = 1;
    int cores_per_task = 1;
    int mpl = 1;
    std::int64_t suspended = 0; // in all
    // What its nodes take to hand a CPU over; 0: not known.
    std::uint32_t hand_over_ns = 0;
};

struct Speedup {
    int processors = 1;
    double speedup = 1; // over one processor, positive
};

class UsefulShare {
  public:
    UsefulShare() = default;
    // As they were saved: 1 to 100, and 100 at least.
    UsefulShare(int unfolded_percent, int cost_percent);

    // All nodes of the job reported, at a second of a steady clock. Says something if the report
    // before was of the same ranks.
    void note(const RankReport &ranks, std::int64_t now, const Held &held);

    // It has been moved since the last report.
    void begin_anew() { last_.reset(); }

    // Of the time of its ranks on a core of their own, what they do not wait: 1 to 100, the recent
    // minutes more than those before. Empty: not known.
    std::optional<int> unfolded_percent() const;

    // Likewise, between the last two reports of when it was not folded. Empty: none since it was
    // saved.
    std::optional<int> last_unfolded_percent() const;

    // What folding it costs beyond max(1, MPL × share), as observed, or before that as expected; at
    // least 100.
    int cost_percent() const;

    // In percent of the core-seconds that it takes unfolded, those that folded its useful time and
    // its hand-overs take: one for each message, but no more than it has shown. 100 if not known.
    int expected_percent() const;

    // While it was folded, the time that it took for its messages, in percent of what a job with
    // its share should take; at least 100. Empty: not seen since it was saved, or it sends none.
    std::optional<int> folding_percent() const;

    // By what the policy is to reckon: the share, as much larger as folding has cost more than it
    // promises. 100 if it is not known.
    int reckoned_percent() const;

    // What was computed on so many cores, in cores that are never idle; the most recent last.
    const std::vector<Speedup> &speedups() const { return speedups_; }

  private:
    struct Report {
        RankReport ranks;
        std::int64_t at;
        Held held;
    };

    void learn(double share, double messages, const Held &held);
    void learn_unfolded(double share, double messages, const Held &held);
    void learn_folded(double share, double messages, const Held &held);

    std::optional<Report> last_;
    double unfolded_ = 0; // share; 0: not known
    double last_unfolded_ = 0;
    double cost_ = 1;
    bool has_shown_cost_ = false;
    double expected_ = 1;
    double folding_ = 0;           // 0: not known
    double unfolded_messages_ = 0; // of a rank in a second; 0: not known
    std::vector<Speedup> speedups_;
};

} // namespace vmall::wire
