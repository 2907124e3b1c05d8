// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a user asked for, read back from the job's SPANK environment.
#include "config/job_request.hpp"
#include "common/job_class.hpp"
#include "config/number.hpp"

#include <cstring>
#include <set>
#include <string_view>

namespace vmall::config {

namespace {

// slurmctld hands the environment on with this prefix to prolog and epilog, and keeps it without.
constexpr std::string_view spank_prefix = "SPANK_";

bool parse_one(const std::string &value) {
    if (value != "1")
        throw RequestError(quoted(value) + " is not 1");
    return true;
}

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
        request.opted_out = parse_one(value);
    } else if (name == env_starts_unfolded) {
        request.starts_unfolded = parse_one(value);
    } else if (name == env_takes_part) {
        request.takes_part = parse_one(value);
    }
}

constexpr const char *our_names[] = {env_class, env_procs,           env_estimate,  env_runtime,
                                     env_no_vm, env_starts_unfolded, env_takes_part};

// More than any value may have, so that a longer one is refused like this part of it.
constexpr std::size_t longest_read_value = 1025;

// What follows `beginning`, or null if `text` begins otherwise. Reads no more of it than that.
const char *after(const char *text, std::string_view beginning) {
    const bool found = std::strncmp(text, beginning.data(), beginning.size()) == 0;
    return found ? text + beginning.size() : nullptr;
}

// Null if the entry is not that variable.
const char *value_of(const char *entry, const char *name) {
    const char *without_prefix = after(entry, spank_prefix);
    const char *value = after(without_prefix ? without_prefix : entry, name);
    return value && *value == '=' ? value + 1 : nullptr;
}

} // namespace

policy::JobClass parse_class(const std::string &text) {
    if (const auto job_class = common::job_class_named(lower_case(text)))
        return *job_class;
    throw RequestError(quoted(text) + " is not a class: give short or long");
}

JobRequest parse_environment(const char *const *environment, std::size_t count) {
    if (count > highest_variable_count)
        throw RequestError("there are more than " + std::to_string(highest_variable_count) +
                           " variables in its SPANK environment");
    JobRequest request;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < count; ++i) {
        for (const char *name : our_names) {
            const char *value = value_of(environment[i], name);
            if (!value)
                continue;
            if (!seen.insert(name).second)
                throw RequestError(std::string(name) + ": given twice");
            try {
                read_variable(request, name, {value, strnlen(value, longest_read_value)});
            } catch (const std::runtime_error &error) {
                throw RequestError(std::string(name) + ": " + error.what());
            }
        }
    }
    request.asked =
        request.job_class || !request.sizes.empty() || request.estimate || request.runtime;
    if (request.opted_out && request.asked)
        throw RequestError(std::string(env_no_vm) + ": contradicts the other VMALL_ variables");
    return request;
}

} // namespace vmall::config
