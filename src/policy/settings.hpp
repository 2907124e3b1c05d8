// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an operator can choose about policy: pieces, and what they go by. Settings{} are the papers'
// last word, FJT(1) with backfilling and malleability (thesis ch. 6, ICS'05 s. 4); vmall.conf's
// defaults are default_settings().
#pragma once

#include "policy/cost/resize_loss.hpp"
#include "policy/model.hpp"
#include "policy/row.hpp"

namespace vmall::policy {

// In which order backfilling tries those behind the head.
enum class BackfillOrder { arrival, shortest };
// When a window has expired: every running job is out of order (the papers), the head's reserved
// start has come (the clock), or whichever is first.
enum class WindowRule { order, clock, either };

// What a speed-up measured on one processor says of more processors, to Equal_efficiency: that they
// would be of no use, as Corbalan's formula has it, or nothing.
enum class OneProcessor { zero, unknown };

inline constexpr int highest_folded_weight = 1000;
inline constexpr int highest_patience = 1000000;
inline constexpr int default_resize_loss = 5;

// Of the queue disciplines that share processors (sharing/). The defaults are those of Corbalan's
// evaluation.
struct SharingSettings {
    int default_level = 4; // jobs of one machine at a time; Equip++ and Equal_eff++: at least
    double target_efficiency = 0.7; // of Equip++ and Equal_eff++, 0 to 1
    int step = 1;                   // processors Equip++ takes from an inefficient job at a time
    OneProcessor one_processor = OneProcessor::zero;
};

struct Settings {
    QueueDiscipline queue_discipline = "easy";
    BackfillOrder backfill_order = BackfillOrder::arrival;
    Sizing sizing = "fjt";
    int max_mpl = 1; // of starts and folds decided by the sizing policy, 1 to highest_mpl
    WindowPolicy window_policy = "shrink";
    WindowRule window_rule = WindowRule::either;
    int window_mpl = highest_mpl; // of jobs folded because their window expired
    // Each second that a job has lost to folding counts like so many seconds by which it is younger
    // when jobs are chosen to be folded, and older when they are chosen to grow; 0 to
    // highest_folded_weight.
    int folded_weight = 0;
    SharingSettings sharing;
    // Of discipline least-work: a job lets others pass until it has waited for so many times its
    // estimate, and an hour. 0: nobody is passed by who is behind it in the queue.
    int patience = 10;
    // Of discipline least-work: a job that has lost more than so many percent of its run time to
    // folding is folded no deeper than it is. 0 to 100.
    int max_time_lost = 100;
    // Of its run time, in percent, what resizes may cost a job (resize_loss.hpp). Whoever makes the
    // snapshot sees to it (RunningJob::max_mpl).
    int max_resize_loss = no_resize_limit;
    // Leaves pools without virtually malleable jobs to somebody else, as sched/fjt does to Slurm.
    bool only_malleable_pools = false;
};

// vmall.conf's: doc/policy.md.
inline Settings default_settings() {
    Settings settings;
    settings.queue_discipline = "least-work";
    settings.sizing = "adaptive";
    settings.max_mpl = highest_mpl;
    settings.max_resize_loss = default_resize_loss;
    settings.sharing.one_processor = OneProcessor::unknown;
    return settings;
}

} // namespace vmall::policy
