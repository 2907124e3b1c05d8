// SPDX-License-Identifier: GPL-2.0-or-later
//
// Summaries as a table for people.
#include "sim/report/overview.hpp"

#include "sim/report/text_table.hpp"

namespace vmall::sim {

namespace {

using Line = std::vector<std::string>;

Line titles() {
    return {"POLICY",      "JOBS",      "WAIT(s)",  "MEDIAN(s)", "P95(s)",   "STDDEV(s)",
            "RESPONSE(s)", "BSLOWDOWN", "CORES",    "UTIL%",     "BACKFILL", "FOLDS",
            "UNFOLDS",     "EXPIRED",   "REQUEUES", "KILLED",    "LOST-CH",  "UNSTARTED"};
}

Line group_cells(const std::string &name, const Group &group) {
    if (group.wait.count == 0)
        return {name, "0", "", "", "", "", "", "", ""};
    return {name,
            std::to_string(group.wait.count),
            fixed(group.wait.mean, 1),
            fixed(group.wait.median, 1),
            fixed(group.wait.p95, 1),
            fixed(group.wait.deviation, 1),
            fixed(group.response.mean, 1),
            fixed(group.bounded_slowdown.mean, 2),
            fixed(group.average_allotment.mean, 1)};
}

Line line_of(const Summary &summary) {
    Line line = group_cells(summary.policy, summary.all);
    line.insert(line.end(),
                {fixed(summary.utilisation * 100, 1), std::to_string(summary.backfilled),
                 std::to_string(summary.folds), std::to_string(summary.unfolds),
                 std::to_string(summary.expiries), std::to_string(summary.requeues),
                 std::to_string(summary.killed), fixed(summary.wasted_core_hours, 1),
                 std::to_string(summary.never_started)});
    return line;
}

} // namespace

std::string overview(const std::vector<Summary> &summaries) {
    std::vector<Line> lines = {titles()};
    for (const auto &summary : summaries) {
        lines.push_back(line_of(summary));
        if (summary.classes.size() > 1) {
            for (const auto &group : summary.classes) {
                lines.push_back(group_cells("  " + group.name, group));
                lines.back().resize(lines.front().size());
            }
        }
    }
    return text_table(lines);
}

} // namespace vmall::sim
