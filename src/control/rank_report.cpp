// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sums of reports, and reports to and from JSON.
#include "control/rank_report_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace vmall::control {

namespace {

template <typename Number>
void add(Number &sum, Number more) {
    constexpr Number highest = std::numeric_limits<Number>::max();
    sum = more > highest - sum ? highest : sum + more;
}

} // namespace

RankReport &RankReport::operator+=(const RankReport &other) {
    add(tasks, other.tasks);
    add(attached, other.attached);
    add(useful_ns, other.useful_ns);
    add(waiting_ns, other.waiting_ns);
    add(switches, other.switches);
    add(messages, other.messages);
    return *this;
}

Json to_json(const RankReport &report) {
    return {{"tasks", report.tasks},         {"attached", report.attached},
            {"useful_ns", report.useful_ns}, {"waiting_ns", report.waiting_ns},
            {"switches", report.switches},   {"messages", report.messages}};
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
    return report;
}

} // namespace vmall::control
