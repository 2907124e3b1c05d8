// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one door to the policies: puts the chosen pieces together.
#include "policy/scheduler.hpp"

#include "policy/mpl_steps.hpp"
#include "policy/normalise.hpp"
#include "policy/pools.hpp"
#include "policy/reasons.hpp"
#include "policy/sharing/space_sharing.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

std::unique_ptr<Discipline> make_discipline(const Settings &settings) {
    if (shares_processors(settings.sizing)) {
        return make_space_sharing();
    }
    switch (settings.queue_discipline) {
    case QueueDiscipline::fcfs:
        return make_fcfs();
    case QueueDiscipline::sjf:
        return make_sjf();
    case QueueDiscipline::ljf:
        return make_ljf();
    case QueueDiscipline::conservative:
        return make_conservative();
    case QueueDiscipline::short_first:
        return make_short_first();
    case QueueDiscipline::aggressive:
        break;
    }
    return make_aggressive();
}

std::unique_ptr<SizingPolicy> make_piece(Sizing choice) {
    switch (choice) {
    case Sizing::rigid:
        return make_rigid();
    case Sizing::psa:
        return make_psa();
    case Sizing::asp_max:
        return make_asp_max();
    case Sizing::folding:
        return make_folding();
    case Sizing::adaptive:
        return make_adaptive();
    case Sizing::fjt:
    case Sizing::equipartition:
    case Sizing::equip_plus_plus:
    case Sizing::equal_efficiency:
    case Sizing::equal_eff_plus_plus:
        break;
    }
    return make_fjt();
}

std::unique_ptr<ExpiryPolicy> make_piece(WindowPolicy choice) {
    switch (choice) {
    case WindowPolicy::shrink:
        return make_shrink();
    case WindowPolicy::requeue:
        return make_requeue();
    case WindowPolicy::kill:
        return make_kill();
    case WindowPolicy::suspend:
        return make_suspend();
    case WindowPolicy::keep:
        break;
    }
    return make_keep();
}

Settings within_limits(Settings settings) {
    settings.max_mpl = std::clamp(settings.max_mpl, 1, highest_mpl);
    settings.asp_max_percent = std::clamp(settings.asp_max_percent, 1, 100);
    settings.window_mpl = std::clamp(settings.window_mpl, 1, highest_mpl);
    settings.folded_weight = std::clamp(settings.folded_weight, 0, highest_folded_weight);
    settings.sharing.default_level = std::max(settings.sharing.default_level, 1);
    settings.sharing.step = std::max(settings.sharing.step, 1);
    return settings;
}

} // namespace

Scheduler::Scheduler(const Settings &settings)
    : moldable(settings.sizing != Sizing::rigid), discipline(make_discipline(settings)),
      sizing(make_piece(settings.sizing)), windows(make_piece(settings.window_policy)),
      unfolds(sizing->growth() != Growth::none && !shares_processors(settings.sizing)),
      pass(within_limits(settings)) {}

const std::vector<Action> &Scheduler::decide(const Snapshot &snapshot) {
    Snapshot normal = snapshot;
    const auto unfit = normalise(normal, moldable);
    pass.actions.clear();
    for (const auto &pool : split_into_pools(normal)) {
        if (pass.settings.only_malleable_pools && !has_malleable_job(pool)) {
            continue;
        }
        pass.begin(pool);
        run();
    }
    for (const auto &job : unfit) {
        pass.wait(job, reasons::no_machine);
    }
    return pass.actions;
}

const std::vector<Action> &Scheduler::decide_normalised(const Snapshot &snapshot) {
    pass.actions.clear();
    pass.begin(snapshot);
    run();
    return pass.actions;
}

void Scheduler::run() {
    discipline->run(pass, *sizing, *windows);
    if (pass.queue.empty() && unfolds) {
        Room room = pass.free;
        unfold_evenly(pass, room, never);
    }
}

std::vector<Action> decide(const Snapshot &snapshot, const Settings &settings) {
    return Scheduler(settings).decide(snapshot);
}

} // namespace vmall::policy
