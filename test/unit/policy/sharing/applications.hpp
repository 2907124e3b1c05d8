// SPDX-License-Identifier: GPL-2.0-or-later
//
// Short words for applications and what they have measured.
#pragma once

#include "policy/sharing/application.hpp"

#include <string>
#include <utility>
#include <vector>

namespace applications {

using vmall::policy::sharing::Allotments;
using vmall::policy::sharing::Application;
using vmall::policy::sharing::Applications;

struct MeasuredEfficiency {
    int processors;
    double efficiency;
};

inline Application requests(int processors, const std::vector<MeasuredEfficiency> &measured = {}) {
    Application application;
    application.requested = processors;
    for (const auto &[on, efficiency] : measured)
        application.measured.push_back({on, on * efficiency});
    return application;
}

inline Application at_least(int least, Application application) {
    application.least = least;
    return application;
}

inline std::string to_text(const Allotments &allotments) {
    std::string text;
    for (const int allotment : allotments)
        text += (text.empty() ? "" : " ") + std::to_string(allotment);
    return text;
}

} // namespace applications
