// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one door to the policies: puts the chosen pieces together.
#include "policy/scheduler.hpp"

#include "policy/mpl_steps.hpp"
#include "policy/normalise.hpp"
#include "policy/pass.hpp"
#include "policy/pools.hpp"
#include "policy/queue_discipline.hpp"
#include "policy/reasons.hpp"
#include "policy/sizing.hpp"
#include "policy/window.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace vmall::policy {

namespace {

std::unique_ptr<Discipline> make_piece(QueueDiscipline choice) {
    return choice == QueueDiscipline::fcfs ? make_fcfs() : make_aggressive();
}

std::unique_ptr<SizingPolicy> make_piece(Sizing choice) {
    return choice == Sizing::rigid ? make_rigid() : make_fjt();
}

std::unique_ptr<ExpiryPolicy> make_piece(WindowPolicy choice) {
    switch (choice) {
    case WindowPolicy::shrink:
        return make_shrink();
    case WindowPolicy::requeue:
        return make_requeue();
    case WindowPolicy::keep:
        break;
    }
    return make_keep();
}

Settings within_limits(Settings settings) {
    settings.max_mpl = std::clamp(settings.max_mpl, 1, highest_mpl);
    settings.window_mpl = std::clamp(settings.window_mpl, 1, highest_mpl);
    return settings;
}

} // namespace

std::vector<Action> decide(const Snapshot &snapshot, const Settings &settings_) {
    const Settings settings = within_limits(settings_);
    const auto discipline = make_piece(settings.queue_discipline);
    const auto sizing = make_piece(settings.sizing);
    const auto expiry = make_piece(settings.window_policy);

    Snapshot normal = snapshot;
    const auto unfit = normalise(normal, settings.sizing == Sizing::fjt);
    std::vector<Action> actions;
    for (auto &pool : split_into_pools(normal)) {
        Pass pass(std::move(pool), settings);
        discipline->run(pass, *sizing, *expiry);
        if (pass.queue.empty()) {
            unfold_evenly(pass);
        }
        std::move(pass.actions.begin(), pass.actions.end(), std::back_inserter(actions));
    }
    for (const auto &job : unfit) {
        actions.emplace_back(Wait{job.id, reasons::no_machine});
    }
    return actions;
}

} // namespace vmall::policy
