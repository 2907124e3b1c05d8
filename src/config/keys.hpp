// SPDX-License-Identifier: GPL-2.0-or-later
//
// The keys of vmall.conf: a row for each.
#pragma once

#include "config/config.hpp"

#include <string>
#include <vector>

namespace vmall::config {

struct Key {
    const char *name;
    // Sets what the key is for, or throws std::runtime_error with the reason: what was given, what
    // is accepted.
    void (*set)(Config &config, const std::string &value);
    bool of_policy = false; // a policy::Settings member, which vmsim lets people try out
};

const std::vector<Key> &keys();

// Why the plugins refuse policies that vmsim takes; null if they do not.
const char *only_simulated(const policy::Settings &settings);

} // namespace vmall::config
