// SPDX-License-Identifier: GPL-2.0-or-later
//
// The SPANK environment that a job brings to slurmctld: a variable on each line.
#include "config/job_request.hpp"

#include "common/split.hpp"
#include "target.hpp"

#include <string_view>

namespace vmall::fuzz {

namespace {

void check(const config::JobRequest &request) {
    expect(!request.opted_out || !request.asked, "nobody asks and opts out");
    expect(request.sizes.empty() || (request.sizes.smallest() >= 1 &&
                                     request.sizes.largest() <= config::highest_process_count),
           "sizes are process counts");
    expect(!request.estimate ||
               (*request.estimate >= 1 && *request.estimate <= config::highest_time),
           "an estimate is a time");
    if (request.runtime && !(*request.runtime == config::RuntimeRequest{}))
        expect(config::parse_runtime_request(config::in_words(*request.runtime)) ==
                   *request.runtime,
               "what a job asks of its ranks can be said in words");
}

} // namespace

void decode(const std::string &input) {
    std::vector<std::string> lines;
    for (const std::string_view line : common::split(input, '\n'))
        lines.emplace_back(line);
    std::vector<const char *> environment;
    for (const std::string &line : lines)
        environment.push_back(line.c_str());
    try {
        check(config::parse_environment(environment.data(), environment.size()));
    } catch (const config::RequestError &) {
    }
}

} // namespace vmall::fuzz
