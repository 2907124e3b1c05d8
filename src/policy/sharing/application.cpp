// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks up what an application has measured.
#include "policy/sharing/application.hpp"

#include <algorithm>

namespace vmall::policy::sharing {

std::optional<double> measured_efficiency(const Application &application, int processors) {
    const auto &measured = application.measured;
    const auto last = std::find_if(measured.rbegin(), measured.rend(), [&](const auto &sample) {
        return sample.processors == processors;
    });
    if (last == measured.rend())
        return std::nullopt;
    return last->speedup / processors;
}

} // namespace vmall::policy::sharing
