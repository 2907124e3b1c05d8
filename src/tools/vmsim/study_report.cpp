// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study: its table, in every form.
#include "tools/vmsim/study_report.hpp"

#include "sim/report/statistics.hpp"
#include "sim/report/text_table.hpp"
#include "vmall_config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace vmall::vmsim {

namespace {

struct Column {
    const char *title; // for people
    const char *key;   // for programs
    std::optional<double> (*value)(const StudyRow &row);
};

std::optional<double> response(const sim::Beside &beside) {
    return beside.jobs > 0 ? std::optional(beside.response) : std::nullopt;
}

std::optional<double> slowdown(const sim::Beside &beside) {
    return beside.jobs > 0 ? std::optional(beside.bounded_slowdown) : std::nullopt;
}

std::optional<double> if_any(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

template <int percent>
std::optional<double> ratio(const StudyRow &row) {
    return row.all.jobs > 0 ? std::optional(sim::percentile(row.all.ratios, percent))
                            : std::nullopt;
}

const Column columns[] = {
    {"RESPONSE", "response", [](const StudyRow &row) { return response(row.all); }},
    {"LONG", "response_long", [](const StudyRow &row) { return response(row.long_jobs); }},
    {"SHORT", "response_short", [](const StudyRow &row) { return response(row.short_jobs); }},
    {"BSLOWDOWN", "bounded_slowdown", [](const StudyRow &row) { return slowdown(row.all); }},
    {"LONG", "bounded_slowdown_long", [](const StudyRow &row) { return slowdown(row.long_jobs); }},
    {"SHORT", "bounded_slowdown_short",
     [](const StudyRow &row) { return slowdown(row.short_jobs); }},
    {"MEDIAN", "ratio_median", ratio<50>},
    {"P95", "ratio_p95", ratio<95>},
    {"P99", "ratio_p99", ratio<99>},
    {"USER", "response_of_worst_user",
     [](const StudyRow &row) { return if_any(row.all.worst_user); }},
    {"WAIT", "longest_wait", [](const StudyRow &row) { return if_any(row.all.longest_wait); }},
    {"RESIZES", "resizes_per_job",
     [](const StudyRow &row) {
         return row.all.jobs > 0 ? std::optional(row.all.resizes) : std::nullopt;
     }},
};

// The titles, then the rows.
std::vector<std::vector<std::string>> cells(const Study &study) {
    std::vector<std::vector<std::string>> lines = {{"VARIANT", "JOBS"}};
    for (const Column &column : columns)
        lines.front().push_back(column.title);
    for (const StudyRow &row : study.rows) {
        lines.push_back({row.name, std::to_string(row.all.jobs)});
        for (const Column &column : columns) {
            const auto value = column.value(row);
            lines.back().push_back(value ? sim::fixed(*value, 2) : "");
        }
    }
    return lines;
}

double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

} // namespace

std::string text_of(const Study &study) {
    return sim::text_table(cells(study));
}

std::string markdown_of(const Study &study) {
    std::string text =
        std::string("Rows are the default policy of vmall.conf on one node, ") +
        (study.log_says_who ? "those jobs taking part of which the log says it"
                            : "all jobs taking part") +
        ", with the estimates of the log, but for what they name. Mean response and bounded "
        "slowdown (of all jobs, long and short ones) are over those of the same jobs under EASY "
        "with the estimates of the log; the median and the 95th and 99th percentiles are of the "
        "response of each job over its response under EASY; the worst user is that of those with "
        "20 "
        "jobs and more whose mean response is longest over that under EASY; the longest wait of "
        "all is over the longest under EASY; resizes are for each job. Where run times are a "
        "second "
        "off, EASY is compared with itself, as every third job runs a second shorter and every "
        "third a second longer: so far apart two runs are by chance.\n\n";
    const auto lines = cells(study);
    for (std::size_t line = 0; line < lines.size(); line++) {
        for (const std::string &cell : lines[line])
            text += "| " + cell + (cell.empty() ? "" : " ");
        text += "|\n";
        if (line == 0) {
            text += "| --- |";
            for (std::size_t column = 1; column < lines[line].size(); column++)
                text += " --: |";
            text += '\n';
        }
    }
    return text;
}

std::string csv_of(const Study &study) {
    std::string text = "variant,jobs";
    for (const Column &column : columns)
        text += std::string(",") + column.key;
    text += '\n';
    for (const StudyRow &row : study.rows) {
        text += '"' + row.name + "\"," + std::to_string(row.all.jobs);
        for (const Column &column : columns) {
            const auto value = column.value(row);
            text += "," + (value ? sim::fixed(*value, 6) : std::string());
        }
        text += '\n';
    }
    return text;
}

nlohmann::ordered_json json_of(const Study &study) {
    using Json = nlohmann::ordered_json;
    Json rows = Json::array();
    for (const StudyRow &row : study.rows) {
        Json entry = {{"variant", row.name}, {"jobs", row.all.jobs}};
        for (const Column &column : columns) {
            const auto value = column.value(row);
            entry[column.key] = value ? Json(rounded(*value)) : Json();
        }
        if (row.drawn && row.all.jobs > 0) {
            Json ratios = Json::array();
            for (int half = 1; half < 200; half++)
                ratios.push_back(rounded(sim::percentile(row.all.ratios, half / 2.0)));
            entry["response_ratios"] = std::move(ratios);
        }
        rows.push_back(std::move(entry));
    }
    return {{"format", "vmsim-study-1"},  {"program", PACKAGE_STRING}, {"finished", study.finished},
            {"workload", study.workload}, {"cores", study.cores},      {"rows", std::move(rows)}};
}

} // namespace vmall::vmsim
