// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the policies of Corbalan's thesis ch. 6 know about an application, and what they answer.
//
// They share the processors of one shared-memory machine among running applications, which change
// their number of processors at any time. All of them demand that the sum of `least` is not more
// than there are processors, and then
// - nobody gets less than `least` or more than `requested`, all together not more than there are;
// - ties go to the application that comes first, which is the one that arrived first;
// - the same input gives the same answer.
#pragma once

#include "policy/model.hpp"

#include <optional>
#include <vector>

namespace vmall::policy::sharing {

struct Application {
    int requested = 1; // processors; at least `least`
    int least = 1;     // 1 in the thesis; more for jobs that cannot run on fewer
    std::vector<MeasuredSpeedup> measured; // by the application itself, the most recent last
};

using Applications = std::vector<Application>; // in order of arrival
using Allotments = std::vector<int>;           // processors, in the order of the applications

// Speed-up per processor as last measured on exactly so many; empty: it never was.
std::optional<double> measured_efficiency(const Application &application, int processors);

} // namespace vmall::policy::sharing
