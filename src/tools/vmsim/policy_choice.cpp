// SPDX-License-Identifier: GPL-2.0-or-later
//
// The policies that people ask for.
#include "tools/vmsim/policy_choice.hpp"

#include "config/config.hpp"
#include "config/keys.hpp"
#include "config/number.hpp"
#include "sim/engine/presets.hpp"
#include "sim/trace/text.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <set>

namespace vmall::vmsim {

namespace {

std::string as_directory(std::string name) {
    constexpr const char *harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789.+-_=";
    for (auto at = name.find_first_not_of(harmless); at != std::string::npos;
         at = name.find_first_not_of(harmless, at)) {
        name[at] = '_';
    }
    return name;
}

const config::Key &find_key(const std::string &name) {
    std::string names;
    for (const config::Key &key : config::keys()) {
        if (key.taken != config::Taken::by_policy) {
            continue;
        }
        if (config::lower_case(key.name) == config::lower_case(name)) {
            return key;
        }
        names += (names.empty() ? "" : ", ") + std::string(key.name);
    }
    throw UsageError(config::quoted(name) + " is not one of the keys " + names);
}

void set(config::Config &config, const std::string &text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
        throw UsageError(config::quoted(text) + " is not Key=value");
    }
    const std::string name = text.substr(0, equals);
    const config::Key &key = find_key(name);
    try {
        key.set(config, text.substr(equals + 1));
    } catch (const std::runtime_error &error) {
        throw UsageError(std::string(key.name) + ": " + error.what());
    }
}

const sim::Preset &find_preset(const std::string &name) {
    for (const auto &preset : sim::presets()) {
        if (name == preset.name) {
            return preset;
        }
    }
    std::string names;
    for (const auto &policy : known_policies()) {
        names += (names.empty() ? "" : ", ") + std::string(policy.name);
    }
    throw UsageError(config::quoted(name) + " is not one of the policies " + names);
}

void check_no_keys(const std::vector<std::string_view> &parts) {
    if (parts.size() > 1) {
        throw UsageError(config::quoted(parts.front()) + " takes no keys of vmall.conf");
    }
}

std::optional<sim::mesh::Choice> mesh_policy(const std::string &name) {
    try {
        return sim::mesh::parse_choice(name);
    } catch (const std::invalid_argument &) {
        return std::nullopt; // the error that lists all policies says more
    }
}

} // namespace

PolicyChoice parse_policy(const std::string &text) {
    const auto parts = sim::split(text, ':');
    const std::string name(parts.front());
    PolicyChoice choice;
    choice.name = text;
    choice.directory = as_directory(text);
    choice.recorded = name == "recorded";
    choice.on_mesh = mesh_policy(name);
    try {
        if (choice.recorded || choice.on_mesh) {
            check_no_keys(parts);
            return choice;
        }
        config::Config config;
        const sim::Preset &preset = find_preset(name);
        config.policy = preset.settings;
        std::for_each(parts.begin() + 1, parts.end(),
                      [&](std::string_view part) { set(config, std::string(part)); });
        choice.settings = config.policy;
        choice.rigid_jobs = preset.rigid_jobs && config.policy.sizing == policy::Sizing::rigid;
    } catch (const UsageError &error) {
        throw UsageError("--policy " + text + ": " + error.what());
    }
    return choice;
}

std::vector<KnownPolicy> known_policies() {
    std::vector<KnownPolicy> all;
    for (const auto &preset : sim::presets()) {
        all.push_back({preset.name, preset.description});
    }
    all.insert(
        all.end(),
        {{"equi", "McCann's equipartition of a mesh (run --mesh)"},
         {"equi+", "the same with rectangles that preserve more efficiency"},
         {"fold-inf", "McCann's Folding of a mesh, which halves the largest rectangle"},
         {"fold-N", "the same, jobs rotate every N seconds; fold-Nj: N for each job that runs"},
         {"recorded", "no policy, but the schedule that the workload came with"}});
    return all;
}

PolicyChoice policy_of_file(const std::string &path) {
    PolicyChoice choice;
    choice.name = path.substr(path.find_last_of('/') + 1);
    choice.directory = as_directory(choice.name);
    choice.settings = config::load(path).policy;
    return choice;
}

void check_distinct(const std::vector<PolicyChoice> &policies) {
    std::set<std::string> directories;
    for (const auto &policy : policies) {
        if (!directories.insert(policy.directory).second) {
            throw UsageError("policy " + policy.name + " is given twice");
        }
    }
}

} // namespace vmall::vmsim
