// SPDX-License-Identifier: GPL-2.0-or-later
//
// The few of Slurm's SchedulerParameters that do not hold for virtually malleable jobs.
#include "config/scheduler_parameters.hpp"

#include <algorithm>

namespace vmall::config {

const std::vector<std::string_view> &parameters_for_others() {
    static const std::vector<std::string_view> names{
        "assoc_limit_stop",          "bf_busy_nodes",
        "bf_job_part_count_reserve", "bf_licenses",
        "bf_max_job_assoc",          "bf_max_job_part",
        "bf_max_job_start",          "bf_max_job_user",
        "bf_max_job_user_part",      "bf_min_age_reserve",
        "bf_min_prio_reserve",       "bf_topopt_enable",
        "bf_topopt_iterations",      "reduce_completing_frag",
        "sched_max_job_start",       "time_min_as_soft_limit",
    };
    return names;
}

std::vector<std::string> without_effect(std::string_view text) {
    const auto &names = parameters_for_others();
    std::vector<std::string> found;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::string_view name = one.substr(0, one.find('='));
        if (std::find(names.begin(), names.end(), name) != names.end())
            found.emplace_back(one);
    }
    return found;
}

} // namespace vmall::config
