// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job's state as JSON.
#include "spank_vm/agent/job_state.hpp"

#include "spank_vm/node/index_list.hpp"
#include "wire/fields.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace vmall::agent {

namespace {

using wire::Fields;
using wire::Json;

constexpr auto highest32 = std::numeric_limits<std::uint32_t>::max();
constexpr auto highest_pid = static_cast<std::uint32_t>(std::numeric_limits<pid_t>::max());
constexpr auto highest64 = std::numeric_limits<std::uint64_t>::max();

Step read_step(const Json &json) {
    const Fields fields(json, "step");
    Step step;
    step.id = fields.number32("id", 0, highest32);
    step.stepd.pid = static_cast<pid_t>(fields.number32("pid", 2, highest_pid));
    step.stepd.start_time = fields.number("start_time", 0, highest64);
    if (fields.has("session")) // agents of the first days leave it out
        step.session = static_cast<pid_t>(fields.number32("session", 0, highest_pid));
    return step;
}

std::vector<std::uint32_t> read_cores(const Fields &job, const char *field) {
    try {
        std::vector<std::uint32_t> cores = spank_vm::parse_index_list(job.text(field));
        if (!cores.empty())
            return cores;
    } catch (const std::invalid_argument &error) {
        job.fail(field, error.what());
    }
    job.fail(field, "is empty");
}

} // namespace

std::string encode(const JobState &state) {
    Json steps = Json::array();
    for (const Step &step : state.steps)
        steps.push_back({{"id", step.id},
                         {"pid", step.stepd.pid},
                         {"start_time", step.stepd.start_time},
                         {"session", step.session}});
    Json content = {{"user", state.user},
                    {"cores", spank_vm::format_index_list(state.allotment.cores)},
                    {"mpl", state.allotment.mpl},
                    {"generation", state.allotment.generation},
                    {"steps", steps},
                    {"ranks", spank_vm::to_json(state.ranks)}};
    if (state.allotment.run)
        content["run"] = *state.allotment.run;
    if (!state.given.empty())
        content["given"] = spank_vm::format_index_list(state.given);
    if (!state.takes_part)
        content["takes_part"] = false;
    return wire::wrap("job", std::move(content));
}

JobState decode_job_state(const std::string &json) {
    const Json parsed = wire::parse_message(json);
    const Fields job(wire::unwrap(parsed, "job"), "job");
    JobState state;
    state.user = job.number32("user", 0, highest32 - 1);
    state.allotment.cores = read_cores(job, "cores");
    state.allotment.mpl = job.number32("mpl", 1, highest32);
    state.allotment.generation = job.number("generation", 0, highest64);
    if (job.has("run"))
        state.allotment.run = job.number32("run", 0, wire::highest_id);
    if (job.has("given"))
        state.given = read_cores(job, "given");
    if (job.has("takes_part"))
        state.takes_part = job.flag("takes_part");
    for (const Json &step : job.list("steps"))
        state.steps.push_back(read_step(step));
    state.ranks = spank_vm::read_ranks(wire::unwrap(parsed["job"], "ranks"));
    return state;
}

} // namespace vmall::agent
