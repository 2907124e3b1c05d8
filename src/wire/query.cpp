// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queries and their answers to and from JSON.
#include "wire/query.hpp"

#include "wire/fields.hpp"
#include "wire/job_rows_json.hpp"
#include "wire/rows_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

constexpr auto highest_counter = std::numeric_limits<std::uint64_t>::max();

const char *name_of(Ask ask) {
    switch (ask) {
    case Ask::jobs:
        return "jobs";
    case Ask::queue:
        return "queue";
    case Ask::left_out:
        return "left_out";
    case Ask::history:
        return "history";
    case Ask::stats:
        return "stats";
    case Ask::metrics:
        return "metrics";
    case Ask::config:
        return "config";
    case Ask::installation:
        return "installation";
    case Ask::set:
        break;
    }
    return "set";
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

} // namespace

std::string encode(const Query &query) {
    if (query.ask == Ask::set) {
        Json settings = Json::array();
        for (const Setting &setting : query.settings)
            settings.push_back({{"key", setting.key}, {"value", setting.value}});
        return wrap("set", Json::object({{"settings", std::move(settings)}}));
    }
    Json content = Json::object({{"ask", name_of(query.ask)}});
    if (query.from.job_id > 0)
        content["from"] = to_json(query.from);
    if (query.job > 0)
        content["job"] = query.job;
    if (query.since > 0)
        content["since"] = query.since;
    if (query.after > 0)
        content["after"] = query.after;
    return wrap("query", std::move(content));
}

bool is_query(const std::string &json) {
    return parse_message(json).contains("query");
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
    const Json &content = unwrap(message, "query");
    const Fields fields(content, "query");
    Query query{choose(fields, "ask",
                       {Ask::jobs, Ask::queue, Ask::left_out, Ask::history, Ask::stats,
                        Ask::metrics, Ask::config, Ask::installation},
                       name_of)};
    if (fields.has("from"))
        query.from = read_page_start(content["from"]);
    if (fields.has("job"))
        query.job = fields.number32("job", 1, highest_id);
    if (fields.has("since"))
        query.since = fields.time("since");
    if (fields.has("after"))
        query.after = fields.number("after", 1, highest_counter);
    return query;
}

std::vector<SettingRow> decode_config(const std::string &json) {
    return read_list(json, name_of(Ask::config), read_setting_row);
}

std::vector<Stat> decode_stats(const std::string &json) {
    return read_list(json, name_of(Ask::stats), read_stat);
}

} // namespace vmall::wire
