// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one door to the policies: a snapshot in, actions out.
#pragma once

#include "policy/model.hpp"
#include "policy/pass.hpp"
#include "policy/queue/discipline.hpp"
#include "policy/settings.hpp"
#include "policy/sizing/sizing.hpp"
#include "policy/window/window.hpp"

#include <memory>
#include <vector>

namespace vmall::policy {

// Decides what to do now. Actions are in the order in which they are to be carried out.
//
// Cores that a Resize frees or a Requeue gives back are not used by a Start of the same decision:
// the node has to confirm first, and the caller asks again then. Every waiting job that is looked
// at and not started has a Wait. A job whose resize is under way (RunningJob::target) is left
// alone, and the cores it will free are counted as coming, so that nobody else is folded for the
// same need. The same snapshot and settings give the same actions on every machine.
//
// Nothing is remembered between decisions but memory to work in.
class Scheduler {
  public:
    explicit Scheduler(const Settings &settings);

    // Anybody's snapshot. The actions are there until the next decision.
    const std::vector<Action> &decide(const Snapshot &snapshot);

    // A snapshot that normalise() would leave as it is and split_into_pools() whole, which is not
    // checked. For the simulator, which asks a million times and keeps it that way itself.
    const std::vector<Action> &decide_normalised(const Snapshot &snapshot);

    // Whether it chooses among the sizes of a virtually malleable job: what normalise() has to
    // know.
    bool is_moldable() const { return sizing_->is_moldable(); }

    // Whether it makes use of RunningJob::measured.
    bool goes_by_measurements() const { return discipline_->goes_by_measurements(); }

  private:
    void run(); // what the pass has begun

    const std::unique_ptr<Discipline> discipline_;
    const std::unique_ptr<SizingPolicy> sizing_;
    const std::unique_ptr<ExpiryPolicy> windows_;
    Pass pass_;
};

// Whether every waiting job has a reserved start, not only the head.
bool reserves_for_all(const Settings &settings);

// Whether no long virtually malleable job overtakes, though others do: ICS'05 has it so, and a log
// with many such jobs waits many times longer for it (doc/policy.md).
bool holds_up_long_jobs(const Settings &settings);

// Whether it makes use of RunningJob::measured.
bool goes_by_measurements(const Settings &settings);

// To which a job on so many nodes is folded at most, whatever Settings::max_mpl.
// `in_vain`: folding is dear, or nobody would have memory for what is given back.
int deepest_mpl(const Settings &settings, std::size_t nodes, bool in_vain);

// From the order of the queue into that in which waiting jobs are dealt cores.
void sort_as_dealt(const Settings &settings, Snapshot &snapshot);

// One decision of a Scheduler with these settings.
std::vector<Action> decide(const Snapshot &snapshot, const Settings &settings);

} // namespace vmall::policy
