// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queries and their answers to and from JSON.
#include "control/query.hpp"

#include "control/fields.hpp"
#include "control/rank_report_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::control {

namespace {

using common::JobClass;

constexpr auto highest_count = std::numeric_limits<std::uint32_t>::max();
constexpr auto highest_counter = std::numeric_limits<std::uint64_t>::max();

const char *name_of(Ask ask) {
    switch (ask) {
    case Ask::jobs:
        return "jobs";
    case Ask::queue:
        return "queue";
    case Ask::stats:
        return "stats";
    case Ask::config:
        return "config";
    case Ask::installation:
        return "installation";
    case Ask::set:
        break;
    }
    return "set";
}

// The value among `choices` whose name the field holds.
template <typename Value>
Value choose(const Fields &fields, const char *field, std::initializer_list<Value> choices) {
    const std::string text = fields.text(field);
    for (const Value choice : choices)
        if (text == name_of(choice))
            return choice;
    fields.fail(field, "is unknown");
}

Json to_json(const JobRow &job) {
    Json nodes = Json::array();
    for (const NodeCores &node : job.nodes)
        nodes.push_back({{"node", node.node}, {"cores", node.cores}});
    Json row = {{"job_id", job.job_id},
                {"user_id", job.user_id},
                {"name", job.name},
                {"class", name_of(job.job_class)},
                {"processes", job.processes},
                {"nodes", std::move(nodes)},
                {"full_cores", job.full_cores},
                {"mpl", job.mpl},
                {"backfilled", job.backfilled},
                {"generation_wanted", job.generation_wanted},
                {"generation_applied", job.generation_applied},
                {"resize_pending", job.resize_pending},
                {"core_seconds", job.core_seconds},
                {"folds", job.folds},
                {"unfolds", job.unfolds}};
    if (job.window_end)
        row["window_end"] = *job.window_end;
    if (job.ranks)
        row["ranks"] = to_json(*job.ranks);
    return row;
}

std::vector<NodeCores> read_nodes(const Fields &row) {
    std::vector<NodeCores> nodes;
    for (const Json &entry : row.list("nodes")) {
        const Fields node(entry, "node of a job");
        nodes.push_back({node.node_name("node"), node.number32("cores", 1, highest_count)});
    }
    if (nodes.empty())
        row.fail("nodes", "is empty");
    return nodes;
}

JobRow read_job(const Json &entry) {
    const Fields row(entry, "job");
    JobRow job;
    job.job_id = row.number32("job_id", 1, highest_id);
    job.user_id = row.number32("user_id", 0, highest_id);
    job.name = row.text("name");
    job.job_class = choose(row, "class", {JobClass::short_job, JobClass::long_job});
    job.processes = row.number32("processes", 1, highest_count);
    job.nodes = read_nodes(row);
    job.full_cores = row.number32("full_cores", 1, highest_count);
    job.mpl = row.number32("mpl", 1, highest_target_mpl);
    job.backfilled = row.flag("backfilled");
    if (row.has("window_end"))
        job.window_end = row.time("window_end");
    job.generation_wanted = row.number("generation_wanted", 0, highest_counter);
    job.generation_applied = row.number("generation_applied", 0, highest_counter);
    job.resize_pending = row.flag("resize_pending");
    job.core_seconds = row.number("core_seconds", 0, highest_counter);
    job.folds = row.number("folds", 0, highest_counter);
    job.unfolds = row.number("unfolds", 0, highest_counter);
    if (row.has("ranks"))
        job.ranks = read_rank_report(entry["ranks"]);
    return job;
}

WaitingRow read_waiting(const Json &entry) {
    const Fields row(entry, "waiting job");
    WaitingRow job;
    job.job_id = row.number32("job_id", 1, highest_id);
    job.user_id = row.number32("user_id", 0, highest_id);
    job.name = row.text("name");
    job.job_class = choose(row, "class", {JobClass::short_job, JobClass::long_job});
    job.partition = row.text("partition");
    for (const Json &size : row.list("sizes")) {
        if (!size.is_number_unsigned() || size > highest_count || size == 0)
            row.fail("sizes", "has something that is not a count");
        job.sizes.push_back(size);
    }
    if (job.sizes.empty())
        row.fail("sizes", "is empty");
    job.reason = row.text("reason");
    return job;
}

SettingRow read_setting_row(const Json &entry) {
    const Fields row(entry, "setting");
    return {row.text("key"), row.text("value"), row.text("from")};
}

Query read_change(const Json &message) {
    const Fields change(message, "set");
    Query query{Ask::set, {}};
    for (const Json &entry : change.list("settings")) {
        const Fields setting(entry, "setting");
        query.settings.push_back({setting.text("key"), setting.text("value")});
        if (query.settings.back().value.size() > highest_setting_bytes)
            setting.fail("value", "is too long");
    }
    if (query.settings.empty() || query.settings.size() > highest_setting_count)
        change.fail("settings", "has none, or too many");
    return query;
}

Stat read_stat(const Json &entry) {
    const Fields row(entry, "stat");
    Stat stat{row.text("name"), row.number("value", 0, highest_counter), row.text("help")};
    if (stat.name.empty())
        row.fail("name", "is empty");
    return stat;
}

// The entries of the list that an answer consists of.
template <typename Entry>
std::vector<Entry> read_list(const std::string &json, Ask ask, Entry (*read)(const Json &)) {
    const Json message = parse_message(json);
    const Fields answer(message, "answer");
    if (answer.has("error"))
        throw QueryRefused(answer.text("error"));
    std::vector<Entry> entries;
    for (const Json &entry : answer.list(name_of(ask)))
        entries.push_back(read(entry));
    return entries;
}

} // namespace

std::string encode(const Query &query) {
    if (query.ask == Ask::set) {
        Json settings = Json::array();
        for (const Setting &setting : query.settings)
            settings.push_back({{"key", setting.key}, {"value", setting.value}});
        return wrap("set", Json::object({{"settings", std::move(settings)}}));
    }
    return wrap("query", Json::object({{"ask", name_of(query.ask)}}));
}

bool is_query(const std::string &json) {
    return parse_message(json).contains("query");
}

std::string encode(const std::vector<JobRow> &jobs) {
    Json rows = Json::array();
    for (const JobRow &job : jobs)
        rows.push_back(to_json(job));
    return wrap("jobs", std::move(rows));
}

std::string encode(const std::vector<WaitingRow> &queue) {
    Json rows = Json::array();
    for (const WaitingRow &job : queue)
        rows.push_back({{"job_id", job.job_id},
                        {"user_id", job.user_id},
                        {"name", job.name},
                        {"class", name_of(job.job_class)},
                        {"partition", job.partition},
                        {"sizes", job.sizes},
                        {"reason", job.reason}});
    return wrap("queue", std::move(rows));
}

std::string encode(const std::vector<SettingRow> &config) {
    Json rows = Json::array();
    for (const SettingRow &row : config)
        rows.push_back({{"key", row.key}, {"value", row.value}, {"from", row.from}});
    return wrap("config", std::move(rows));
}

std::string encode(const std::vector<Stat> &stats) {
    Json rows = Json::array();
    for (const Stat &stat : stats)
        rows.push_back({{"name", stat.name}, {"value", stat.value}, {"help", stat.help}});
    return wrap("stats", std::move(rows));
}

std::string encode_error(const std::string &reason) {
    return wrap("error", reason);
}

Query decode_query(const std::string &json) {
    const Json message = parse_message(json, highest_query_bytes);
    if (message.contains("set"))
        return read_change(message["set"]);
    const Fields fields(unwrap(message, "query"), "query");
    return {
        choose(fields, "ask", {Ask::jobs, Ask::queue, Ask::stats, Ask::config, Ask::installation})};
}

std::vector<JobRow> decode_jobs(const std::string &json) {
    return read_list(json, Ask::jobs, read_job);
}

std::vector<WaitingRow> decode_queue(const std::string &json) {
    return read_list(json, Ask::queue, read_waiting);
}

std::vector<SettingRow> decode_config(const std::string &json) {
    return read_list(json, Ask::config, read_setting_row);
}

std::vector<Stat> decode_stats(const std::string &json) {
    return read_list(json, Ask::stats, read_stat);
}

} // namespace vmall::control
