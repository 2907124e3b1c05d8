// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows of the history to and from JSON.
#include "wire/history_rows.hpp"

#include "wire/page_text.hpp"
#include "wire/rows_json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

using common::Cause;
using common::JobClass;

constexpr auto highest_count = std::numeric_limits<std::uint32_t>::max();
constexpr auto highest_counter = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t highest_row_bytes = 4096;

constexpr Event events[] = {Event::started,  Event::seen,     Event::folded,
                            Event::unfolded, Event::requeued, Event::ended};

template <typename Value, std::size_t count>
Value choose_of(const Fields &fields, const char *field, const Value (&choices)[count],
                const char *(*name_of)(Value)) {
    const std::string text = fields.text(field);
    const Value *found = std::find_if(std::begin(choices), std::end(choices),
                                      [&](Value choice) { return text == name_of(choice); });
    if (found == std::end(choices))
        fields.fail(field, "is unknown");
    return *found;
}

Json to_json(const Balance &balance) {
    return {{"core_seconds", balance.core_seconds},
            {"core_seconds_lent", balance.core_seconds_lent},
            {"seconds_folded", balance.seconds_folded},
            {"seconds_lost", balance.seconds_lost},
            {"folds", balance.folds},
            {"unfolds", balance.unfolds}};
}

Json to_json(const HistoryRow &row) {
    Json json = {{"time", row.time},
                 {"job_id", row.job_id},
                 {"user_id", row.user_id},
                 {"account", row.account},
                 {"name", row.name},
                 {"class", common::name_of(row.job_class)},
                 {"event", name_of(row.event)},
                 {"processes", row.processes},
                 {"full_cores", row.full_cores},
                 {"cores_before", row.cores_before},
                 {"cores_after", row.cores_after},
                 {"mpl", row.mpl}};
    if (row.cause)
        json["cause"] = common::name_of(*row.cause);
    if (row.for_job)
        json["for_job"] = *row.for_job;
    if (row.balance)
        json["balance"] = to_json(*row.balance);
    return json;
}

Balance read_balance(const Json &entry) {
    const Fields fields(entry, "balance");
    const auto counter = [&](const char *name) { return fields.number(name, 0, highest_counter); };
    return {counter("core_seconds"),   counter("core_seconds_lent"),
            counter("seconds_folded"), counter("seconds_lost"),
            counter("folds"),          counter("unfolds")};
}

HistoryRow read_row(const Json &entry) {
    const Fields fields(entry, "event");
    HistoryRow row;
    row.time = fields.time("time");
    row.job_id = fields.number32("job_id", 1, highest_id);
    row.user_id = fields.number32("user_id", 0, highest_id);
    row.account = fields.text("account");
    row.name = fields.text("name");
    row.job_class = choose_of(fields, "class", common::job_classes, common::name_of);
    row.event = choose_of(fields, "event", events, name_of);
    row.processes = fields.number32("processes", 1, highest_count);
    row.full_cores = fields.number32("full_cores", 1, highest_count);
    row.cores_before = fields.number32("cores_before", 0, highest_count);
    row.cores_after = fields.number32("cores_after", 0, highest_count);
    row.mpl = fields.number32("mpl", 1, highest_count);
    if (fields.has("cause"))
        row.cause = choose_of(fields, "cause", common::causes, common::name_of);
    if (fields.has("for_job"))
        row.for_job = fields.number32("for_job", 1, highest_id);
    if (fields.has("balance"))
        row.balance = read_balance(entry["balance"]);
    return row;
}

} // namespace

const char *name_of(Event event) {
    switch (event) {
    case Event::started:
        return "started";
    case Event::seen:
        return "seen";
    case Event::folded:
        return "folded";
    case Event::unfolded:
        return "unfolded";
    case Event::requeued:
        return "requeued";
    case Event::ended:
        break;
    }
    return "ended";
}

std::string encode_row(const HistoryRow &row) {
    return text_of(to_json(row));
}

HistoryRow decode_row(const std::string &line) {
    return read_row(parse_message(line, highest_row_bytes));
}

std::string encode(const std::vector<HistoryRow> &history) {
    PageText page("history", std::numeric_limits<std::size_t>::max());
    for (const HistoryRow &row : history)
        page.add(encode_row(row));
    return page.end();
}

std::vector<HistoryRow> decode_history(const std::string &json) {
    return read_list(json, "history", read_row);
}

std::optional<std::uint64_t> decode_rest(const std::string &json) {
    const Json message = parse_message(json);
    const Fields answer(message, "answer");
    if (!answer.has("next"))
        return std::nullopt;
    return answer.number("next", 1, highest_counter);
}

} // namespace vmall::wire
