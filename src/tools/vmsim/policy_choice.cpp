// SPDX-License-Identifier: GPL-2.0-or-later
//
// The policies that people ask for.
#include "tools/vmsim/policy_choice.hpp"

#include "common/split.hpp"
#include "config/config.hpp"
#include "config/keys.hpp"
#include "config/number.hpp"
#include "policy/policies.hpp"
#include "sim/engine/replay.hpp"
#include "sim/trace/text.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace vmall::vmsim {

namespace {

std::string as_directory(std::string name) {
    constexpr const char *harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789.+-_=";
    for (auto at = name.find_first_not_of(harmless); at != std::string::npos;
         at = name.find_first_not_of(harmless, at))
        name[at] = '_';
    return name;
}

const config::Key &find_key(const std::string &name) {
    std::string names;
    for (const config::Key &key : config::keys()) {
        if (key.taken != config::Taken::by_policy)
            continue;
        if (config::lower_case(key.name) == config::lower_case(name))
            return key;
        names += (names.empty() ? "" : ", ") + std::string(key.name);
    }
    throw UsageError(config::quoted(name) + " is not one of the keys " + names);
}

void set(config::Config &config, const std::string &text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
        throw UsageError(config::quoted(text) + " is not Key=value");
    const std::string name = text.substr(0, equals);
    const config::Key &key = find_key(name);
    try {
        key.set(config, text.substr(equals + 1));
    } catch (const std::runtime_error &error) {
        throw UsageError(std::string(key.name) + ": " + error.what());
    }
}

const policy::NamedPolicy &find_named(const std::string &name, const MorePolicies &more) {
    for (const auto *table : {&policy::policies(), &more.named}) {
        for (const auto &policy : *table)
            if (name == policy.name)
                return policy;
    }
    std::string names;
    for (const auto &policy : known_policies(more))
        names += (names.empty() ? "" : ", ") + std::string(policy.name);
    throw UsageError(config::quoted(name) + " is not one of the policies " + names);
}

void check_no_keys(const std::vector<std::string_view> &parts) {
    if (parts.size() > 1)
        throw UsageError(config::quoted(parts.front()) + " takes no keys of vmall.conf");
}

sim::Outcome as_recorded(const sim::Workload &workload, const sim::Machine &machine,
                         const sim::Options &options, sim::Progress &) {
    const int cores = std::accumulate(machine.cores.begin(), machine.cores.end(), 0);
    return sim::replay(workload, cores, options.record_allotments);
}

Play by_settings(const policy::Settings &settings, bool rigid_jobs) {
    return [settings, rigid_jobs](const sim::Workload &workload, const sim::Machine &machine,
                                  sim::Options options, sim::Progress &progress) {
        options.policy = settings;
        options.rigid_jobs = rigid_jobs;
        return sim::simulate(workload, machine, options, progress);
    };
}

// A named policy, changed by the keys behind it.
Play by_name(const std::vector<std::string_view> &parts, const MorePolicies &more) {
    const std::string name(parts.front());
    const policy::NamedPolicy &named = find_named(name, more);
    config::Config config;
    config.policy = named.settings;
    std::for_each(parts.begin() + 1, parts.end(),
                  [&](std::string_view part) { set(config, std::string(part)); });
    return by_settings(config.policy, named.rigid_jobs && config.policy.sizing == "rigid");
}

} // namespace

PolicyChoice parse_policy(const std::string &text, const MorePolicies &more) {
    const auto parts = common::split(text, ':');
    const std::string name(parts.front());
    PolicyChoice choice{text, as_directory(text), {}};
    try {
        if (name == "recorded")
            choice.play = as_recorded;
        else if (more.find)
            choice.play = more.find(name);
        if (choice.play)
            check_no_keys(parts);
        else
            choice.play = by_name(parts, more);
    } catch (const UsageError &error) {
        throw UsageError("--policy " + text + ": " + error.what());
    }
    return choice;
}

std::vector<KnownPolicy> known_policies(const MorePolicies &more) {
    std::vector<KnownPolicy> all;
    for (const auto *table : {&policy::policies(), &more.named})
        for (const auto &policy : *table)
            all.push_back({policy.name, policy.help});
    all.insert(all.end(), more.known.begin(), more.known.end());
    all.push_back({"recorded", "no policy, but the schedule that the workload came with"});
    return all;
}

PolicyChoice policy_of_file(const std::string &path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return {name, as_directory(name), by_settings(config::load(path).policy, false)};
}

void check_distinct(const std::vector<PolicyChoice> &policies) {
    std::set<std::string> directories;
    for (const auto &policy : policies)
        if (!directories.insert(policy.directory).second)
            throw UsageError("policy " + policy.name + " is given twice");
}

} // namespace vmall::vmsim
