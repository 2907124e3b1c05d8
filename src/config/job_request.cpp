// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a user asked for, read back from the job's SPANK environment.
#include "config/job_request.hpp"
#include "common/job_class.hpp"
#include "config/number.hpp"

#include <set>
#include <string_view>

namespace vmall::config {

namespace {

// slurmctld hands the environment on with this prefix to prolog and epilog, and keeps it without.
constexpr std::string_view spank_prefix = "SPANK_";

void read_variable(JobRequest &request, const std::string &name, const std::string &value) {
    if (name == env_class) {
        request.job_class = parse_class(value);
    } else if (name == env_procs) {
        request.sizes = parse_sizes(value);
    } else if (name == env_estimate) {
        request.estimate = whole_number(value, 1, highest_time);
        if (!request.estimate)
            throw RequestError(quoted(value) + " is not a number of seconds from 1 to " +
                               std::to_string(highest_time));
    } else if (name == env_runtime) {
        request.runtime = parse_runtime_request(value);
    } else if (name == env_no_vm) {
        if (value != "1")
            throw RequestError(quoted(value) + " is not 1");
        request.opted_out = true;
    }
}

bool is_ours(const std::string &name) {
    return name == env_class || name == env_procs || name == env_estimate || name == env_runtime ||
           name == env_no_vm;
}

} // namespace

policy::JobClass parse_class(const std::string &text) {
    if (const auto job_class = common::job_class_named(lower_case(text)))
        return *job_class;
    throw RequestError(quoted(text) + " is not a class: give short or long");
}

JobRequest parse_environment(const std::vector<std::string> &environment) {
    JobRequest request;
    std::set<std::string> seen;
    for (const std::string &entry : environment) {
        const std::size_t begin =
            entry.compare(0, spank_prefix.size(), spank_prefix) == 0 ? spank_prefix.size() : 0;
        const std::size_t equals = entry.find('=', begin);
        if (equals == std::string::npos)
            continue;
        const std::string name = entry.substr(begin, equals - begin);
        if (!is_ours(name))
            continue;
        if (!seen.insert(name).second)
            throw RequestError(name + ": given twice");
        try {
            read_variable(request, name, entry.substr(equals + 1));
        } catch (const std::runtime_error &error) {
            throw RequestError(name + ": " + error.what());
        }
    }
    request.asked =
        request.job_class || !request.sizes.empty() || request.estimate || request.runtime;
    if (request.opted_out && request.asked)
        throw RequestError(std::string(env_no_vm) + ": contradicts the other VMALL_ variables");
    return request;
}

} // namespace vmall::config
