// SPDX-License-Identifier: GPL-2.0-or-later
//
// A summary as JSON.
#include "sim/report/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace vmall::sim {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

Json to_json(const Statistics &statistics) {
    const auto known = [&](double value) {
        return statistics.count > 0 ? Json(rounded(value)) : Json();
    };
    return {{"mean", known(statistics.mean)},
            {"median", known(statistics.median)},
            {"p95", known(statistics.p95)},
            {"standard_deviation", known(statistics.deviation)}};
}

Json to_json(const Group &group) {
    return {{"name", group.name},
            {"jobs", group.wait.count},
            {"wait_seconds", to_json(group.wait)},
            {"response_seconds", to_json(group.response)},
            {"slowdown", to_json(group.slowdown)},
            {"bounded_slowdown", to_json(group.bounded_slowdown)},
            {"average_allotment_cores", to_json(group.average_allotment)}};
}

Json to_json(const std::vector<Group> &groups) {
    Json result = Json::array();
    for (const auto &group : groups)
        result.push_back(to_json(group));
    return result;
}

} // namespace

Json to_json(const Summary &summary) {
    return {{"policy", summary.policy},
            {"workload", summary.workload},
            {"unix_start_time", summary.unix_start > 0 ? Json(summary.unix_start) : Json()},
            {"cores", summary.cores},
            {"jobs", summary.jobs},
            {"completed", summary.completed},
            {"killed", summary.killed},
            {"never_started", summary.never_started},
            {"backfilled", summary.backfilled},
            {"folds", summary.folds},
            {"unfolds", summary.unfolds},
            {"expiries", summary.expiries},
            {"requeues", summary.requeues},
            {"wasted_core_hours", rounded(summary.wasted_core_hours)},
            {"makespan_seconds", rounded(summary.makespan)},
            {"utilisation", rounded(summary.utilisation)},
            {"decisions", summary.decisions},
            {"selected", to_json(summary.all)},
            {"classes", to_json(summary.classes)},
            {"applications", to_json(summary.applications)}};
}

} // namespace vmall::sim
