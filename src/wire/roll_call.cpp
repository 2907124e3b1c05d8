// SPDX-License-Identifier: GPL-2.0-or-later
//
// Roll calls and rolls to and from JSON.
#include "wire/roll_call.hpp"

#include "wire/fields.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

Json to_json(const Present &job) {
    Json json = {{"job_id", job.job_id},
                 {"cores", job.cores},
                 {"generation", job.generation},
                 {"lives", job.lives}};
    if (job.run)
        json["run"] = *job.run;
    return json;
}

Present read_present(const Json &json) {
    const Fields fields(json, "roll: job");
    Present job;
    job.job_id = fields.number32("job_id", 1, highest_id);
    job.cores = fields.core_indices("cores");
    job.generation = fields.number("generation", 0, highest_generation);
    job.lives = fields.flag("lives");
    if (fields.has("run"))
        job.run = fields.number32("run", 0, highest_id);
    return job;
}

} // namespace

std::string encode(const RollCall &call) {
    return wrap("roll_call", {{"node", call.node}});
}

std::string encode(const Roll &roll) {
    Json jobs = Json::array();
    for (const Present &job : roll.jobs)
        jobs.push_back(to_json(job));
    return wrap("roll", {{"node", roll.node}, {"jobs", std::move(jobs)}});
}

std::optional<RollCall> decode_roll_call(const std::string &json) {
    const Json message = parse_message(json);
    if (!message.contains("roll_call"))
        return std::nullopt;
    return RollCall{Fields(unwrap(message, "roll_call"), "roll_call").node_name("node")};
}

Roll decode_roll(const std::string &json) {
    const Json message = parse_message(json);
    const Fields fields(unwrap(message, "roll"), "roll");
    Roll roll;
    roll.node = fields.node_name("node");
    const Json &jobs = fields.list("jobs");
    if (jobs.size() > highest_roll_length)
        fields.fail("jobs", "is too long");
    for (const Json &job : jobs)
        roll.jobs.push_back(read_present(job));
    return roll;
}

} // namespace vmall::wire
