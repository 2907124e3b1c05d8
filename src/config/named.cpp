// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes over all keys that name jobs.
#include "config/named.hpp"

#include "config/number.hpp"

#include <cstdint>
#include <limits>
#include <utility>

namespace vmall::config {

namespace {

std::vector<Named> of_kind(const Config &config, const std::string &kind) {
    const std::pair<const char *, const Limit *> limits[] = {
        {"TakePart", &config.take_part},
        {"MaxMplPerJob", &config.max_mpl_per_job},
        {"MaxFoldsPerJob", &config.max_folds_per_job},
        {"MaxResizeLoss", &config.max_resize_loss},
        {"LimitExtension", &config.limit_extension},
    };
    std::vector<Named> result;
    for (const auto &[key, limit] : limits)
        for (const std::string &name : limit->names())
            if (name.compare(0, kind.size(), kind) == 0)
                result.push_back({key, name.substr(kind.size())});
    return result;
}

bool is_uid(const std::string &name) {
    return whole_number(name, 0, std::numeric_limits<std::uint32_t>::max()).has_value();
}

} // namespace

std::vector<Named> named_partitions(const Config &config) {
    std::vector<Named> result = of_kind(config, "partition/");
    for (const auto &[partition, job_class] : config.class_by_partition)
        result.push_back({"ClassByPartition", partition});
    return result;
}

std::vector<Named> unknown_users(const Config &config) {
    std::vector<Named> result;
    for (const Named &user : of_kind(config, "user/"))
        if (!is_uid(user.name))
            result.push_back(user);
    return result;
}

} // namespace vmall::config
