// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which jobs count in statistics.
#include "sim/report/selection.hpp"

#include "config/number.hpp"
#include "sim/trace/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

namespace {

bool is_tiny(const Job &job) {
    return job.estimate <= 1 && job.sizes.largest() * job.cores_per_process == 1;
}

std::size_t count_of(const Share &share, std::size_t jobs) {
    const auto part = static_cast<std::size_t>(static_cast<double>(jobs) * share.percent / 100);
    return std::min(share.jobs + part, jobs);
}

std::vector<std::size_t> ended_jobs(const Outcome &outcome, bool no_tiny_jobs) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < outcome.jobs.size(); i++) {
        const auto &job = outcome.jobs[i];
        if (job.end != End::never_started && !(no_tiny_jobs && is_tiny(*job.job)))
            result.push_back(i);
    }
    std::stable_sort(result.begin(), result.end(), [&](std::size_t left, std::size_t right) {
        return outcome.jobs[left].ended < outcome.jobs[right].ended;
    });
    return result;
}

} // namespace

Share parse_share(const std::string &text) {
    constexpr long long most_jobs = 1'000'000'000;
    Share share;
    if (!text.empty() && text.back() == '%') {
        const auto percent = decimal_number(text.substr(0, text.size() - 1));
        if (percent && *percent <= 100) {
            share.percent = *percent;
            return share;
        }
    } else if (const auto jobs = config::whole_number(text, 0, most_jobs)) {
        share.jobs = static_cast<std::size_t>(*jobs);
        return share;
    }
    throw std::invalid_argument(config::quoted(text) +
                                " is neither a number of jobs nor a percentage like 1%");
}

Selection steady_state() {
    Selection selection;
    selection.no_tiny_jobs = true;
    selection.warm_up.percent = 1;
    selection.while_arriving = true;
    return selection;
}

std::vector<bool> select(const Outcome &outcome, const Selection &selection) {
    std::vector<bool> counts(outcome.jobs.size(), false);
    const auto ended = ended_jobs(outcome, selection.no_tiny_jobs);
    const std::size_t first = count_of(selection.warm_up, ended.size());
    const std::size_t last = ended.size() - count_of(selection.cool_down, ended.size());
    for (std::size_t i = first; i < last; i++) {
        const bool in_time = outcome.jobs[ended[i]].ended <= outcome.jobs.back().job->submit;
        counts[ended[i]] = in_time || !selection.while_arriving;
    }
    return counts;
}

} // namespace vmall::sim
