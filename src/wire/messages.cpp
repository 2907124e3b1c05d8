// SPDX-License-Identifier: GPL-2.0-or-later
//
// Targets and answers to and from JSON.
#include "wire/messages.hpp"

#include "wire/fields.hpp"
#include "wire/rank_report_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

constexpr std::pair<Outcome, const char *> outcome_names[] = {
    {Outcome::applied, "applied"},
    {Outcome::superseded, "superseded"},
    {Outcome::unknown_job, "unknown_job"},
    {Outcome::refused, "refused"},
};

const char *name_of(Outcome outcome) {
    for (const auto &[value, name] : outcome_names)
        if (value == outcome)
            return name;
    throw MessageError("answer: no such outcome");
}

Outcome read_outcome(const Fields &answer) {
    const std::string text = answer.text("outcome");
    for (const auto &[value, name] : outcome_names)
        if (text == name)
            return value;
    answer.fail("outcome", "is unknown");
}

std::vector<std::uint32_t> read_cores(const Fields &target) {
    std::vector<std::uint32_t> cores = target.core_indices("cores");
    if (cores.empty())
        target.fail("cores", "is empty");
    return cores;
}

} // namespace

std::string encode(const Target &target) {
    Json content = {{"node", target.node},       {"job_id", target.job_id},
                    {"user_id", target.user_id}, {"cores", target.cores},
                    {"mpl", target.mpl},         {"generation", target.generation}};
    if (target.run)
        content["run"] = *target.run;
    if (target.only_served)
        content["only_served"] = true;
    return wrap("target", std::move(content));
}

std::string encode(const Answer &answer) {
    Json content = {{"node", answer.node},
                    {"job_id", answer.job_id},
                    {"outcome", name_of(answer.outcome)},
                    {"generation", answer.generation},
                    {"reason", answer.reason}};
    if (answer.unattached)
        content["unattached"] = true;
    if (answer.ranks)
        content["ranks"] = to_json(*answer.ranks);
    if (answer.hand_over_ns > 0)
        content["hand_over_ns"] = answer.hand_over_ns;
    return wrap("answer", std::move(content));
}

Target decode_target(const std::string &json) {
    const Json message = parse_message(json);
    const Fields fields(unwrap(message, "target"), "target");
    Target target;
    target.node = fields.node_name("node");
    target.job_id = fields.number32("job_id", 1, highest_id);
    target.user_id = fields.number32("user_id", 0, highest_id);
    target.cores = read_cores(fields);
    target.mpl = fields.number32("mpl", 1, highest_target_mpl);
    target.generation = fields.number("generation", 1, highest_generation);
    if (fields.has("run"))
        target.run = fields.number32("run", 0, highest_id);
    target.only_served = fields.has("only_served") && fields.flag("only_served");
    return target;
}

Answer decode_answer(const std::string &json) {
    const Json message = parse_message(json);
    const Fields fields(unwrap(message, "answer"), "answer");
    Answer answer;
    answer.node = fields.node_name("node");
    answer.job_id = fields.number32("job_id", 1, highest_id);
    answer.outcome = read_outcome(fields);
    answer.generation = fields.number("generation", 0, highest_generation);
    answer.reason = fields.text("reason").substr(0, highest_reason_bytes);
    answer.unattached = fields.has("unattached") && fields.flag("unattached");
    if (fields.has("ranks"))
        answer.ranks = read_rank_report(message["answer"]["ranks"]);
    if (fields.has("hand_over_ns"))
        answer.hand_over_ns = fields.number32("hand_over_ns", 1, highest_hand_over_ns);
    return answer;
}

} // namespace vmall::wire
