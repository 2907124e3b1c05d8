// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched/fjt from a start of slurmctld to its death: the real Ledger, Resizer and RollCaller, and a
// policy that wants anything that it may.
#pragma once

#include "plugins/sched_fjt/account/time_limits.hpp"
#include "plugins/sched_fjt/resize/resizer.hpp"
#include "plugins/sched_fjt/resize/roll_caller.hpp"
#include "random.hpp"

#include <optional>
#include <string>

namespace vmall::simulation {

// Thrown when slurmctld is killed in a pass.
struct ControllerKilled {};

// Thrown by what is checked on the way.
struct Violation {
    std::string what;
};

class Controller {
  public:
    // `saved`: what the ledger's file has, which a pass replaces.
    explicit Controller(std::optional<std::string> &saved);

    // As SchedulerThread's. `killed_before`: a part of it, if it is to be killed.
    void pass(Random chances, std::optional<int> killed_before);
    bool wants_nothing = false; // of what the policy could want

    const sched::Ledger &ledger() const { return ledger_; }
    bool roll_is_called() const { return roll_caller_.is_over(); }
    std::chrono::milliseconds age() const;
    // Of this node, by RollCaller or because time is up.
    bool has_given_up(const std::string &node) const;
    // Somebody whom it asked at this node was not there.
    void note_refused_call(const std::string &node) { ++refused_calls_[node]; }

  private:
    void call_roll(const sched::View &view);
    void act(const sched::View &view, Random &chances);
    void fold(const sched::View &view, const sched::JobView &job, Random &chances);
    void unfold(const sched::JobView &job, Random &chances);
    void start(const sched::View &view, Random &chances);
    void save();

    std::optional<std::string> &saved_;
    const sched::RollCaller::Clock::time_point started_ = sched::RollCaller::Clock::now();
    config::Config config_;
    sched::Counters counters_;
    sched::Ledger ledger_;
    sched::Messenger messenger_;
    sched::Resizer resizer_;
    sched::RollCaller roll_caller_;
    sched::TimeLimits time_limits_;
    std::map<std::string, int> refused_calls_;
};

} // namespace vmall::simulation
