// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lowest of all bounds.
#include "plugins/sched_fjt/decide/fold_bound.hpp"

#include "plugins/sched_fjt/decide/permitted_time.hpp"
#include "plugins/sched_fjt/see/memory.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "policy/cost/work.hpp"
#include "policy/scheduler.hpp"

#include <algorithm>

namespace vmall::sched {

namespace {

using common::Restraint;

bool is_surveyed(const LedgerEntry &entry, const config::Config &config) {
    return config.survey_interval > 0 && entry.served.has_value();
}

// Its user has not asked: it is folded while all its ranks are known to be served.
bool is_known_to_be_served(const JobView &job, const LedgerEntry &entry,
                           const config::Config &config) {
    return !job.by_default || (is_surveyed(entry, config) && *entry.served);
}

bool is_known_to_be_unserved(const JobView &job, const LedgerEntry &entry,
                             const config::Config &config) {
    return job.by_default && is_surveyed(entry, config) && !*entry.served;
}

bool was_folded_often_enough(std::uint64_t folds, const config::Standing &job,
                             const config::Config &config) {
    return folds >= static_cast<std::uint64_t>(config.max_folds_per_job.lowest_for(job));
}

FoldBound bound_by_site(std::uint64_t folds, const config::Standing &job,
                        const config::Config &config) {
    if (was_folded_often_enough(folds, job, config))
        return {1, Restraint::folds};
    const int mpl = config.max_mpl_per_job.lowest_for(job);
    return mpl < policy::highest_mpl ? FoldBound{mpl, Restraint::site} : FoldBound{mpl};
}

// However deep it is folded now.
FoldBound bound_for_more(const JobView &job, policy::Seconds now, const LedgerEntry &entry,
                         const config::Standing &standing, const config::Config &config) {
    if (job.request.starts_unfolded && !job.has_steps)
        return {1, Restraint::unstarted};
    if (entry.left_alone)
        return {1, Restraint::unregistered};
    if (job.gres && !config.fold_gres)
        return {1, Restraint::gres};
    if (!is_known_to_be_served(job, entry, config))
        return {1, Restraint::unsurveyed};
    if (until_next_fold(job, now, entry, config) > 0)
        return {1, Restraint::cost};
    if (!policy::is_worth_folding(entry.useful.expected_percent()))
        return {1, Restraint::hand_overs};
    return bound_by_site(entry.folds, standing, config);
}

// The policy's.
std::optional<Restraint> restraint_by(const Surroundings &surroundings, const JobView &job,
                                      const policy::Settings &settings, int present) {
    const std::size_t nodes = job.allotment.size();
    const auto keeps = [&](bool in_vain) {
        return policy::deepest_mpl(settings, nodes, in_vain) <= present;
    };
    if (surroundings.folding_is_dear && keeps(true))
        return Restraint::dear;
    if (keeps(false))
        return Restraint::nodes;
    if (nodes > 1 && keeps(true) && !surroundings.memory.is_left_beside(memory_per_core(job)))
        return Restraint::memory;
    return std::nullopt;
}

} // namespace

// Nobody knows yet what program that will be whose user has not asked; and Slurm would refuse the
// step of an srun alone.
int max_mpl(const JobView &job, policy::Seconds now, const config::Config &config) {
    if (job.by_default || job.request.starts_unfolded)
        return 1;
    const config::Standing standing = standing_of(job, config);
    return std::min(bound_by_site(0, standing, config).mpl,
                    deepest_mpl(job, now, 0, standing, config));
}

FoldBound fold_bound(const JobView &job, policy::Seconds now, const LedgerEntry &entry,
                     const config::Config &config) {
    if (is_known_to_be_unserved(job, entry, config))
        return {1, Restraint::unserved};
    const config::Standing standing = standing_of(job, config);
    FoldBound bound = bound_for_more(job, now, entry, standing, config);
    bound.mpl = std::max(bound.mpl, mpl_on(job, job.allotment));
    const int in_time = deepest_mpl(job, now, time_lost(job, now, entry), standing, config);
    return in_time < bound.mpl ? FoldBound{in_time, Restraint::time} : bound;
}

bool folding_is_dear(const View &view, int cost) {
    const auto nodes = std::count_if(view.nodes.begin(), view.nodes.end(),
                                     [](const auto &node) { return node.second.cores > 0; });
    return policy::folding_is_dear(cost, static_cast<std::size_t>(nodes));
}

std::optional<Restraint> restraint_of(const View &view, const JobView &job,
                                      const LedgerEntry &entry, const config::Config &config,
                                      const Surroundings &surroundings) {
    const FoldBound bound = fold_bound(job, view.now, entry, config);
    const int present = mpl_on(job, job.allotment);
    if (bound.mpl <= present && bound.by)
        return bound.by;
    if (std::min(bound.mpl, config.policy.max_mpl) <= present)
        return Restraint::level;
    if (const auto restraint = restraint_by(surroundings, job, config.policy, present))
        return restraint;
    if (!job.record_can_end)
        return Restraint::record;
    if (entry.target.rests(view.steady))
        return Restraint::node;
    return std::nullopt;
}

policy::Seconds time_lost(const JobView &job, policy::Seconds now, const LedgerEntry &entry) {
    return entry.lost.until(time_run(job, now)) / 1000;
}

int max_resize_loss(const JobView &job, const config::Config &config) {
    return config.max_resize_loss.lowest_for(standing_of(job, config));
}

policy::Seconds until_next_fold(const JobView &job, policy::Seconds now, const LedgerEntry &entry,
                                const config::Config &config) {
    const auto wait =
        entry.resize_loss.until_next_fold(time_run(job, now) * 1000, max_resize_loss(job, config));
    return wait < policy::never ? (wait + 999) / 1000 : wait;
}

} // namespace vmall::sched
