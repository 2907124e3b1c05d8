// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policies by the names people know them by: pieces (row.hpp) and settings that belong together.
#pragma once

#include "policy/settings.hpp"

#include <string>
#include <vector>

namespace vmall::policy {

struct NamedPolicy {
    const char *name;
    const char *help; // one line
    Settings settings;
    // Today's cluster: nobody asks for virtual malleability.
    bool rigid_jobs = false;
};

using Policies = std::vector<NamedPolicy>;

// In the order in which they are to be shown. A program may add its own behind them.
const Policies &policies();

// Throws std::invalid_argument, which lists the names that there are.
const NamedPolicy &find_policy(const std::string &name, const Policies &among = policies());

} // namespace vmall::policy
