// SPDX-License-Identifier: GPL-2.0-or-later
//
// The policies that people ask for.
#pragma once

#include "policy/policies.hpp"
#include "sim/engine/simulate.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::vmsim {

// Plays a workload on a machine under a policy; the options are all but that.
using Play = std::function<sim::Outcome(const sim::Workload &, const sim::Machine &,
                                        const sim::Options &, sim::Progress &)>;

struct PolicyChoice {
    std::string name;      // as it was asked for
    std::string directory; // the same without what does not belong into a file name
    Play play;
};

struct KnownPolicy {
    const char *name;
    const char *description; // one line
};

// What another program than vmsim has beside vmsim's policies.
struct MorePolicies {
    std::vector<KnownPolicy> known;                    // these take no keys of vmall.conf
    std::function<Play(const std::string &name)> find; // an empty one: not one of these
    policy::Policies named = {};                       // these take keys
};

// The name of a policy, and after colons keys of vmall.conf that it differs in:
// "fjt4:MaxMpl=3:WindowRule=order"; or "recorded", the schedule that the workload came with; or one
// of `more`. Throws UsageError.
PolicyChoice parse_policy(const std::string &text, const MorePolicies &more);

// What parse_policy() takes for a name, each with what it does.
std::vector<KnownPolicy> known_policies(const MorePolicies &more);

// What vmall.conf says. Throws config::ConfigError.
PolicyChoice policy_of_file(const std::string &path);

// Throws UsageError if two of them would write to the same place.
void check_distinct(const std::vector<PolicyChoice> &policies);

} // namespace vmall::vmsim
