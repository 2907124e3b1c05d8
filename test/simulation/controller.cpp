// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order of a pass is that of SchedulerThread::pass().
#include "controller.hpp"

#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "slurm.hpp"
#include "trace.hpp"

#include <ctime>
#include <utility>
#include <vector>

namespace vmall::simulation {

namespace {

// As the policy has it: a resize that is under way is left alone.
bool may_be_resized(const sched::View &view, const sched::JobView &job,
                    const sched::LedgerEntry *entry) {
    return job.virtually_malleable && job.state == sched::JobState::running && job.record_can_end &&
           entry && entry->target.may_be_resized(view.steady) &&
           entry->target.state() != sched::TargetState::folding;
}

// Of one node: all have as many.
int places_of(const sched::JobView &job) {
    return static_cast<int>(job.cores.begin()->second.size()) / job.cores_per_task;
}

policy::CoreCounts on_each_node(const sched::JobView &job, int cores) {
    policy::CoreCounts counts;
    for (const auto &[node, held] : job.cores)
        counts.push_back({{node}, cores});
    return counts;
}

} // namespace

Controller::Controller(std::optional<std::string> &saved)
    : saved_(saved), ledger_(std::time(nullptr)), messenger_("", [] {}),
      resizer_(ledger_, messenger_, counters_), roll_caller_(ledger_, config_, started_),
      time_limits_(ledger_, std::time(nullptr)) {
    config_.survey_interval = 3; // so that many are under way when something goes wrong
    resizer_.configure(config_);
    if (saved_)
        ledger_.restore(*saved_);
    for (NodeIndex node = 0; node < slurm->node_count; ++node)
        slurm->closed.insert(node); // as select/cons_tres_vmall has them before the first pass
}

void Controller::pass(Random chances, std::optional<int> killed_before) {
    int part = 0;
    const auto next_part = [&] {
        if (killed_before == part++)
            throw ControllerKilled();
    };
    next_part();
    resizer_.conclude();
    next_part();
    sched::View view = sched::look({});
    ledger_.mark(view);
    ledger_.keep_only(view.active);
    if (time_limits_.look(view)) {
        save();
        next_part();
        time_limits_.tell();
    }
    call_roll(view);
    next_part();
    resizer_.retry(view);
    next_part();
    if (roll_caller_.is_over() && !wants_nothing)
        act(view, chances);
    next_part();
    resizer_.survey(view);
    next_part();
    save();
}

std::chrono::milliseconds Controller::age() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(sched::RollCaller::Clock::now() -
                                                                 started_);
}

bool Controller::has_given_up(const std::string &node) const {
    const auto refused = refused_calls_.find(node);
    return age() >= sched::RollCaller::longest ||
           (refused != refused_calls_.end() && refused->second >= 3);
}

void Controller::call_roll(const sched::View &view) {
    messenger_.call_roll(
        roll_caller_.look(view, messenger_.take_rolls(), sched::RollCaller::Clock::now()),
        std::chrono::milliseconds(config_.agent_timeout_ms));
    const auto unchecked = roll_caller_.unchecked(view);
    slurm->closed = {unchecked.begin(), unchecked.end()};
}

void Controller::act(const sched::View &view, Random &chances) {
    for (const auto &[id, job] : view.active)
        if (may_be_resized(view, job, ledger_.find(id)) && chances.one_in(3)) {
            if (chances.one_in(2))
                fold(view, job, chances);
            else
                unfold(job, chances);
        }
    if (!view.queue.empty() && chances.one_in(2))
        start(view, chances);
}

void Controller::fold(const sched::View &view, const sched::JobView &job, Random &chances) {
    const int places = places_of(job);
    if (places < 2)
        return;
    const int target = job.cores_per_task * chances.between(1, places - 1);
    tell([&] {
        return "    fold job " + std::to_string(job.id) + " to " + std::to_string(target) +
               " cores on each node";
    });
    resizer_.fold(view, job, on_each_node(job, target));
}

void Controller::unfold(const sched::JobView &job, Random &chances) {
    const int places = places_of(job);
    const int tasks = job.tasks / static_cast<int>(job.cores.size());
    if (places >= tasks)
        return;
    const int target = job.cores_per_task * chances.between(places + 1, tasks);
    tell([&] {
        return "    unfold job " + std::to_string(job.id) + " to " + std::to_string(target) +
               " cores on each node";
    });
    resizer_.unfold(job, on_each_node(job, target));
}

// As Starter does.
void Controller::start(const sched::View &view, Random &chances) {
    const JobId id = view.queue[chances.below(view.queue.size())].id;
    Job &job = *slurm->find(id);
    const int tasks = tasks_per_node(job);
    const int places = job.malleable ? chances.between(1, tasks) : tasks;
    const auto cores = slurm->room_for(job, job.cores_per_task * places);
    if (cores.empty())
        return;
    tell([&] { return "    start job " + std::to_string(id); });
    slurm->begin(job, cores);
    const sched::View after = sched::look_at_job(id, {});
    const sched::JobView &started = after.active.at(id);
    ledger_.of(started);
    if (started.virtually_malleable)
        resizer_.announce(after, started);
}

void Controller::save() {
    std::string state = ledger_.saved();
    if (state == saved_)
        return;
    sched::Ledger read(0);
    read.restore(state);
    if (read.saved() != state)
        throw Violation{"the ledger is not read as it was saved"};
    saved_ = std::move(state);
}

} // namespace vmall::simulation
