// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads what `vmsim run` wrote.
#include "tools/vmsim/saved_results.hpp"

#include "common/job_class.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace vmall::vmsim {

namespace {

using nlohmann::json;

json parse_file(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw std::system_error(errno, std::generic_category(), path);
    return json::parse(in);
}

// Null: the result has no such group.
const json *find_group(const json &result, const std::string &name) {
    if (name == "selected")
        return &result.at("selected");
    for (const json &group : result.at("classes"))
        if (group.at("name") == name)
            return &group;
    return nullptr;
}

void add(const json &result, Saved &saved) {
    saved.workloads.push_back(result.at("workload"));
    saved.utilisation.push_back(result.at("utilisation"));
    saved.values.resize(measures().size());
    for (std::size_t i = 0; i < measures().size(); i++) {
        const json *group = find_group(result, measures()[i].group);
        if (group != nullptr && group->at("jobs") > 0)
            saved.values[i].push_back(group->at(measures()[i].key).at("mean"));
    }
}

std::vector<Saved> collect(const json &summary) {
    // One result alone is a summary too.
    const json results = summary.contains("results") ? summary.at("results") : json{summary};
    std::vector<Saved> all;
    for (const json &result : results) {
        const std::string policy = result.at("policy");
        auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Saved &saved) { return saved.policy == policy; });
        if (found == all.end()) {
            all.push_back({policy, {}, {}, {}});
            found = all.end() - 1;
        }
        add(result, *found);
    }
    return all;
}

} // namespace

const std::vector<Measure> &measures() {
    static const std::vector<Measure> all = {
        {"WAIT(s)", 1, "selected", "wait_seconds"},
        {"RESPONSE(s)", 1, "selected", "response_seconds"},
        {"BSLOWDOWN", 2, "selected", "bounded_slowdown"},
        {"LONG RESPONSE(s)", 1, name_of(common::JobClass::long_job), "response_seconds"},
        {"SHORT RESPONSE(s)", 1, name_of(common::JobClass::short_job), "response_seconds"},
    };
    return all;
}

std::vector<Saved> read_results(const std::string &path) {
    const std::string file = std::filesystem::is_directory(path)
                                 ? (std::filesystem::path(path) / "summary.json").string()
                                 : path;
    const json summary = [&] {
        try {
            return parse_file(file);
        } catch (const json::exception &error) {
            throw std::runtime_error(file + ": " + error.what());
        }
    }();
    try {
        return collect(summary);
    } catch (const json::exception &error) {
        throw std::runtime_error(file + ": is not a summary of vmsim: " + error.what());
    }
}

} // namespace vmall::vmsim
