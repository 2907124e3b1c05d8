// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums of reports, and reports to and from JSON.
#include "common/split.hpp"
#include "wire/rank_report_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace vmall::wire {

namespace {

template <typename Number>
void add(Number &sum, Number more) {
    constexpr Number highest = std::numeric_limits<Number>::max();
    sum = more > highest - sum ? highest : sum + more;
}

constexpr std::pair<std::uint32_t, std::string_view> engine_names[] = {
    {engine_ucx, "ucx"},
    {engine_open_mpi, "open-mpi"},
    {engine_generic, "generic"},
    {engine_none, "none"}};

} // namespace

std::string names_of_engines(std::uint32_t engines) {
    std::string names;
    for (const auto &[engine, name] : engine_names)
        if ((engines & engine) != 0)
            names.append(names.empty() ? "" : ",").append(name);
    return names;
}

std::uint32_t engines_named(const std::string &names) {
    std::uint32_t engines = 0;
    for (const std::string_view part : common::split(names, ','))
        for (const auto &[engine, name] : engine_names)
            engines |= part == name ? engine : 0;
    return engines;
}

RankReport &RankReport::operator+=(const RankReport &other) {
    add(tasks, other.tasks);
    add(attached, other.attached);
    add(useful_ns, other.useful_ns);
    add(waiting_ns, other.waiting_ns);
    add(switches, other.switches);
    add(messages, other.messages);
    engines |= other.engines;
    return *this;
}

Json to_json(const RankReport &report) {
    return {{"tasks", report.tasks},
            {"attached", report.attached},
            {"useful_ns", report.useful_ns},
            {"waiting_ns", report.waiting_ns},
            {"switches", report.switches},
            {"messages", report.messages},
            {"engines", names_of_engines(report.engines)}};
}

RankReport read_rank_report(const Json &json) {
    constexpr auto highest32 = std::numeric_limits<std::uint32_t>::max();
    constexpr auto highest64 = std::numeric_limits<std::uint64_t>::max();
    const Fields fields(json, "ranks");
    RankReport report;
    report.tasks = fields.number32("tasks", 0, highest32);
    report.attached = fields.number32("attached", 0, report.tasks);
    report.useful_ns = fields.number("useful_ns", 0, highest64);
    report.waiting_ns = fields.number("waiting_ns", 0, highest64);
    report.switches = fields.number("switches", 0, highest64);
    report.messages = fields.number("messages", 0, highest64);
    if (fields.has("engines")) // an earlier release's agent does not know
        report.engines = engines_named(fields.text("engines"));
    return report;
}

} // namespace vmall::wire
