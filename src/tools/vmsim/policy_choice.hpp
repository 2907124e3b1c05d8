// SPDX-License-Identifier: GPL-2.0-or-later
//
// The policies that people ask for.
#pragma once

#include "policy/settings.hpp"
#include "sim/mesh/choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct PolicyChoice {
    std::string name;      // as it was asked for
    std::string directory; // the same without what does not belong into a file name
    bool recorded = false; // not a policy, but the schedule that the workload was recorded with
    policy::Settings settings;
    bool rigid_jobs = false;                  // see sim::Options
    std::optional<sim::mesh::Choice> on_mesh; // instead of all that
};

// The name of a preset, and after colons keys of vmall.conf that it differs in:
// "fjt4:MaxMpl=3:WindowRule=order"; or "recorded", or a policy for meshes. Throws UsageError.
PolicyChoice parse_policy(const std::string &text);

// What parse_policy() takes for a name, each with what it does.
struct KnownPolicy {
    const char *name;
    const char *description; // one line
};
std::vector<KnownPolicy> known_policies();

// What vmall.conf says. Throws config::ConfigError.
PolicyChoice policy_of_file(const std::string &path);

// Throws UsageError if two of them would write to the same place.
void check_distinct(const std::vector<PolicyChoice> &policies);

} // namespace vmall::vmsim
