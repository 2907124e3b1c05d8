// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one door to the policies: puts the pieces together that were chosen.
#include "policy/scheduler.hpp"

#include "policy/folding/mpl_steps.hpp"
#include "policy/folding/overdue.hpp"
#include "policy/normalise.hpp"
#include "policy/pools.hpp"
#include "policy/reasons.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

Settings within_limits(Settings settings) {
    settings.max_mpl = std::clamp(settings.max_mpl, 1, highest_mpl);
    settings.window_mpl = std::clamp(settings.window_mpl, 1, highest_mpl);
    settings.folded_weight = std::clamp(settings.folded_weight, 0, highest_folded_weight);
    settings.patience = std::clamp(settings.patience, 0, highest_patience);
    settings.max_time_lost = std::clamp(settings.max_time_lost, 0, 100);
    settings.sharing.default_level = std::max(settings.sharing.default_level, 1);
    settings.sharing.step = std::max(settings.sharing.step, 1);
    return settings;
}

} // namespace

Scheduler::Scheduler(const Settings &settings)
    : discipline_(settings.queue_discipline->make()), sizing_(settings.sizing->make()),
      windows_(settings.window_policy->make()), pass_(within_limits(settings)) {}

const std::vector<Action> &Scheduler::decide(const Snapshot &snapshot) {
    Snapshot normal = snapshot;
    const auto unfit = normalise(normal, is_moldable());
    pass_.actions.clear();
    for (const auto &pool : split_into_pools(normal)) {
        if (pass_.settings.only_malleable_pools && !has_malleable_job(pool))
            continue;
        pass_.begin(pool);
        run();
    }
    for (const auto &job : unfit)
        pass_.wait(job, reasons::no_machine);
    return pass_.actions;
}

const std::vector<Action> &Scheduler::decide_normalised(const Snapshot &snapshot) {
    pass_.actions.clear();
    pass_.begin(snapshot);
    run();
    return pass_.actions;
}

void Scheduler::run() {
    unfold_overdue(pass_);
    discipline_->run(pass_, *sizing_, *windows_);
    if (pass_.queue.empty() && sizing_->growth() != Growth::none &&
        !discipline_->grows_running_jobs()) {
        Room room = pass_.free;
        unfold_evenly(pass_, room, never);
    }
}

bool reserves_for_all(const Settings &settings) {
    return settings.queue_discipline->make()->reserves_for_all();
}

bool holds_up_long_jobs(const Settings &settings) {
    return settings.queue_discipline->make()->holds_up_long_jobs();
}

bool goes_by_measurements(const Settings &settings) {
    return settings.queue_discipline->make()->goes_by_measurements();
}

int deepest_mpl(const Settings &settings, std::size_t nodes, bool in_vain) {
    return settings.queue_discipline->make()->deepest_mpl(nodes, in_vain);
}

void sort_as_dealt(const Settings &settings, Snapshot &snapshot) {
    settings.queue_discipline->make()->sort_as_dealt(snapshot);
}

std::vector<Action> decide(const Snapshot &snapshot, const Settings &settings) {
    return Scheduler(settings).decide(snapshot);
}

} // namespace vmall::policy
