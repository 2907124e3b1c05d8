// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policies by the names people know them by.
#pragma once

#include "policy/settings.hpp"

#include <string>
#include <vector>

namespace vmall::sim {

struct Preset {
    const char *name;
    const char *description; // one line
    policy::Settings settings;
    // Today's cluster: nobody asks for virtual malleability, see Options::rigid_jobs.
    bool rigid_jobs = false;
};

// In the order in which they are to be shown.
const std::vector<Preset> &presets();

// Throws std::invalid_argument, which lists the names that there are.
const Preset &preset(const std::string &name);

} // namespace vmall::sim
