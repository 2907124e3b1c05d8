// SPDX-License-Identifier: GPL-2.0-or-later
//
// The dynamic multiprogramming level of PDML.
#include "policy/sharing/multiprogramming_level.hpp"

#include <cstddef>

namespace vmall::policy::sharing {

namespace {

bool reaches_target(const Application &application, int processors, double target) {
    const auto measured = measured_efficiency(application, processors);
    return processors == 1 || (measured && *measured >= target);
}

} // namespace

bool stable(const Applications &applications, const Allotments &now, double target_efficiency) {
    for (std::size_t index = 0; index < applications.size(); index++)
        if (!reaches_target(applications[index], now[index], target_efficiency))
            return false;
    return true;
}

bool admits_another(const Applications &applications, const Allotments &now, int free_processors,
                    int default_level, double target_efficiency) {
    return static_cast<int>(applications.size()) < default_level ||
           (free_processors > 0 && stable(applications, now, target_efficiency));
}

} // namespace vmall::policy::sharing
