// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a job is virtually malleable.
#include "plugins/cores/malleability.hpp"

#include "common/split.hpp"

#include <algorithm>

namespace vmall::cores {

namespace {

// Nothing, if tasks of the largest size would not fill the cores of its nodes, equally many on
// each.
std::optional<WholeNodes> filled_nodes(const vmall_applicant &applicant,
                                       const config::JobRequest &request) {
    const std::uint32_t tasks = request.sizes.empty()
                                    ? applicant.tasks
                                    : static_cast<std::uint32_t>(request.sizes.largest());
    const std::uint32_t fit = applicant.node_cpus / applicant.cpus_per_task; // on one node
    if (fit == 0)
        return std::nullopt;
    const std::uint32_t nodes = std::max(applicant.min_nodes, tasks / fit + (tasks % fit > 0));
    if (tasks % nodes != 0 || applicant.node_cores % (tasks / nodes) != 0)
        return std::nullopt;
    return WholeNodes{static_cast<int>(nodes),
                      static_cast<int>(applicant.node_cpus / (tasks / nodes))};
}

// Of the smallest size, on each node. A shape has no CPUs but those of its tasks.
std::uint32_t tasks_on_a_node(const vmall_applicant &applicant, const config::JobRequest &request) {
    const std::uint32_t tasks = request.sizes.empty()
                                    ? applicant.tasks
                                    : static_cast<std::uint32_t>(request.sizes.smallest());
    const std::uint32_t nodes = std::max(applicant.min_nodes, 1U);
    return tasks / nodes + (tasks % nodes > 0);
}

// Null: nothing.
const char *what_forbids_it(const vmall_applicant &applicant, const Rules &rules,
                            const Malleability &found) {
    if (applicant.whole_nodes && applicant.waits &&
        rules.lend_whole_nodes == config::LendWholeNodes::no)
        return "it takes whole nodes (LendWholeNodes of vmall.conf)";
    if (applicant.whole_nodes && applicant.keeps)
        return applicant.keeps;
    if (applicant.whole_nodes && !found.whole_nodes)
        return "its tasks do not fill whole nodes evenly";
    if (applicant.fixed)
        return applicant.fixed;
    if (applicant.tasks_for_memory > tasks_on_a_node(applicant, found.request))
        return "it asks for more memory than its tasks' CPUs may have (MaxMemPerCPU)";
    if (applicant.gres && !rules.fold_gres && !applicant.folded_with_gres)
        return "it has GRES (FoldGres of vmall.conf)";
    return nullptr;
}

std::string refused(const std::string &reason) {
    return "asked for virtual malleability and is scheduled like the others: " + reason;
}

bool site_wants_it(const vmall_applicant &applicant, const config::Limit &take_part) {
    const auto partitions = common::split(applicant.partitions, ',');
    return std::all_of(partitions.begin(), partitions.end(), [&](std::string_view partition) {
        const config::Standing standing = {
            {}, std::string(partition), applicant.qos, applicant.account, applicant.user_id};
        return take_part.lowest_for(standing) > 0;
    });
}

// Once it runs its mark says so, whatever the site has changed since.
bool takes_part(const vmall_applicant &applicant, const config::JobRequest &request,
                const Rules &rules) {
    if (request.opted_out)
        return false;
    return applicant.waits ? applicant.even && site_wants_it(applicant, rules.take_part)
                           : request.takes_part;
}

} // namespace

Rules rules_of(const config::Config &config) {
    return {config.fold_gres, config.take_part, config.lend_whole_nodes};
}

Malleability malleability_of(const vmall_applicant &applicant, const Rules &rules) {
    Malleability result;
    try {
        result.request = config::parse_environment(applicant.spank_environment,
                                                   applicant.spank_environment_count);
        if (applicant.whole_nodes && !applicant.keeps)
            result.whole_nodes = filled_nodes(applicant, result.request);
        const char *reason = what_forbids_it(applicant, rules, result);
        if (result.request.asked && reason)
            result.refusal = refused(reason);
        result.by_default =
            !result.request.asked && !reason && takes_part(applicant, result.request, rules);
    } catch (const config::RequestError &error) {
        result.refusal = refused(error.what());
    }
    return result;
}

bool is_malleable(const vmall_applicant &applicant, const Rules &rules) noexcept {
    try {
        return malleability_of(applicant, rules).granted();
    } catch (const std::exception &) {
        return false;
    }
}

bool includes_unasked(const Rules &rules) {
    return rules.take_part.highest() > 0;
}

} // namespace vmall::cores
