// SPDX-License-Identifier: GPL-2.0-or-later
//
// The keys of vmall.conf: a row for each.
#pragma once

#include "config/config.hpp"

#include <string>
#include <vector>

namespace vmall::config {

// When a change of a key takes effect.
enum class Taken {
    by_policy,    // at once; a policy::Settings member, which vmsim lets people try out
    by_scheduler, // at once, in slurmctld
    at_start      // of the daemons
};

struct Key {
    const char *name;
    std::string initial; // the default, as it would be written; empty: there is none
    // Sets what the key is for, or throws std::runtime_error with the reason: what was given, what
    // is accepted.
    void (*set)(Config &config, const std::string &value);
    Taken taken = Taken::at_start;
};

const std::vector<Key> &keys();

// The key that says more or less what one did that was there before; null if none was.
const char *instead_of(const std::string &removed);

// What a key is set to, as text.
struct Value {
    const Key &key;
    std::string text;
    bool is_default = false;
};

// Every key, in the order of the manual.
std::vector<Value> values(const Config &config);

// Why the plugins refuse policies that vmsim takes; null if they do not.
const char *only_simulated(const policy::Settings &settings);

} // namespace vmall::config
