// SPDX-License-Identifier: GPL-2.0-or-later
//
// Limits: how they are written, and whom they bind.
#include "config/limit.hpp"
#include "common/job_class.hpp"
#include "common/split.hpp"
#include "config/choice.hpp"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace vmall::config {

namespace {

constexpr const char *accepted =
    "class/short, class/long, partition/NAME, qos/NAME or account/NAME, a colon and a number";

// Whether it is KIND/NAME of something that a job can have.
bool names_jobs(const std::string &key) {
    const std::size_t slash = key.find('/');
    const std::string kind = key.substr(0, slash);
    if (slash == std::string::npos)
        return false;
    if (kind == "class")
        return common::job_class_named(key.substr(slash + 1)).has_value();
    return slash + 1 < key.size() && (kind == "partition" || kind == "qos" || kind == "account");
}

} // namespace

void Limit::set(const std::string &text, int (*number)(const std::string &)) {
    std::optional<int> general;
    std::map<std::string, int> special;
    for (const std::string_view part : common::split(text, ',')) {
        const std::string item(part);
        const std::size_t colon = item.rfind(':');
        const std::string key = item.substr(0, colon);
        if (colon == std::string::npos) {
            if (std::exchange(general, number(item)))
                throw std::runtime_error(quoted(item) + " is a second number for all jobs");
            continue;
        }
        if (!names_jobs(key) || item.find_first_of(" \t") != std::string::npos)
            refuse(item, accepted);
        if (!special.emplace(key, number(item.substr(colon + 1))).second)
            throw std::runtime_error(quoted(key) + " is given twice");
    }
    general_ = general.value_or(default_);
    special_ = std::move(special);
}

template <typename Better>
int Limit::best_for(const Standing &job, Better better) const {
    std::optional<int> best;
    for (const std::string &key :
         {std::string("class/") + name_of(job.job_class), "partition/" + job.partition,
          "qos/" + job.qos, "account/" + job.account}) {
        const auto found = special_.find(key);
        if (found != special_.end() && (!best || better(found->second, *best)))
            best = found->second;
    }
    return best.value_or(general_);
}

int Limit::lowest_for(const Standing &job) const {
    return best_for(job, std::less<>());
}

int Limit::highest_for(const Standing &job) const {
    return best_for(job, std::greater<>());
}

} // namespace vmall::config
