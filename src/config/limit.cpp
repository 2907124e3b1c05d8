// SPDX-License-Identifier: GPL-2.0-or-later
//
// Limits: how they are written, and whom they bind.
#include "config/limit.hpp"
#include "common/job_class.hpp"
#include "common/split.hpp"
#include "config/choice.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <pwd.h>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace vmall::config {

namespace {

constexpr const char *accepted = "class/short, class/long, partition/NAME, qos/NAME, account/NAME "
                                 "or user/NAME, a colon and what "
                                 "holds for these";

const std::string class_kind = "class/";
const std::string user_kind = "user/";

// Whether it is KIND/NAME of something that a job can have.
bool names_jobs(const std::string &key) {
    const std::size_t slash = key.find('/');
    const std::string kind = key.substr(0, slash);
    if (slash == std::string::npos)
        return false;
    if (kind == "class")
        return common::job_class_named(key.substr(slash + 1)).has_value();
    return slash + 1 < key.size() &&
           (kind == "partition" || kind == "qos" || kind == "account" || kind == "user");
}

std::string key_of_user(std::uint32_t id) {
    return user_kind + std::to_string(id);
}

std::optional<std::uint32_t> uid_of(const std::string &user) {
    constexpr auto highest = std::numeric_limits<std::uint32_t>::max();
    if (const auto id = whole_number(user, 0, highest))
        return static_cast<std::uint32_t>(*id);
    constexpr std::size_t longest_record = 65536;
    std::vector<char> memory(longest_record);
    passwd record;
    passwd *found = nullptr;
    getpwnam_r(user.c_str(), &record, memory.data(), memory.size(), &found);
    return found ? std::optional<std::uint32_t>(found->pw_uid) : std::nullopt;
}

// A name may be short for a uid. One that this machine does not know is nobody's, as those of
// partitions that there are not.
std::string key_for(const std::string &key) {
    if (key.compare(0, user_kind.size(), user_kind) != 0)
        return key;
    const auto id = uid_of(key.substr(user_kind.size()));
    return id ? key_of_user(*id) : key;
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
        if (!special.emplace(key_for(key), number(item.substr(colon + 1))).second)
            throw std::runtime_error(quoted(key) + " is given twice");
    }
    general_ = general.value_or(default_);
    special_ = std::move(special);
}

template <typename Better>
int Limit::best_for(const Standing &job, Better better) const {
    std::optional<int> best;
    for (const std::string &key :
         {class_kind + name_of(job.job_class), "partition/" + job.partition, "qos/" + job.qos,
          "account/" + job.account, job.user_id ? key_of_user(*job.user_id) : ""}) {
        const auto found = special_.find(key);
        if (found != special_.end() && (!best || better(found->second, *best)))
            best = found->second;
    }
    return best.value_or(general_);
}

int Limit::highest() const {
    int highest = general_;
    for (const auto &[key, number] : special_)
        highest = std::max(highest, number);
    return highest;
}

bool Limit::goes_by_class() const {
    return std::any_of(
        special_.begin(), special_.end(),
        [](const auto &special) {
            return special.first.compare(0, class_kind.size(), class_kind) == 0;
        });
}

std::vector<std::string> Limit::names() const {
    std::vector<std::string> names;
    for (const auto &[name, number] : special_)
        names.push_back(name);
    return names;
}

int Limit::lowest_for(const Standing &job) const {
    return best_for(job, std::less<>());
}

int Limit::highest_for(const Standing &job) const {
    return best_for(job, std::greater<>());
}

} // namespace vmall::config
