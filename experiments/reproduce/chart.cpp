// SPDX-License-Identifier: GPL-2.0-or-later
//
// The format that the header describes.
#include "experiments/reproduce/chart.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

using Json = nlohmann::ordered_json;

// Six digits are more than a picture shows, and fewer than compilers differ in.
Json finite_or_null(double value) {
    if (!std::isfinite(value))
        return nullptr;
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return Json::parse(text);
}

Json to_json(const Series &series, std::size_t points) {
    if (series.points.size() != points || (!series.paper.empty() && series.paper.size() != points))
        throw std::invalid_argument("series " + series.name + " has not one point for each x");
    Json mean = Json::array(), low = Json::array(), high = Json::array();
    for (const auto &point : series.points) {
        mean.push_back(point ? finite_or_null(point->mean) : Json(nullptr));
        low.push_back(point ? finite_or_null(point->low) : Json(nullptr));
        high.push_back(point ? finite_or_null(point->high) : Json(nullptr));
    }
    Json result = {{"name", series.name}, {"mean", mean}, {"low", low}, {"high", high}};
    for (const auto &value : series.paper)
        result["paper"].push_back(value ? finite_or_null(*value) : Json(nullptr));
    return result;
}

Json to_json(const Panel &panel) {
    const bool bars = std::holds_alternative<std::vector<std::string>>(panel.x);
    Json x;
    std::visit([&x](const auto &values) { x = values; }, panel.x);
    Json series = Json::array();
    for (const Series &one : panel.series)
        series.push_back(to_json(one, x.size()));
    return {{"kind", bars ? "bars" : "lines"},
            {"title", panel.title},
            {"x_label", panel.x_label},
            {"y_label", panel.y_label},
            {"x", x},
            {"series", series}};
}

} // namespace

std::string charts_json(const std::vector<Chart> &charts) {
    Json list = Json::array();
    for (const Chart &chart : charts) {
        Json panels = Json::array();
        for (const Panel &panel : chart.panels)
            panels.push_back(to_json(panel));
        list.push_back({{"name", chart.name}, {"title", chart.title}, {"panels", panels}});
    }
    return Json{{"format", "vmsim-charts-1"}, {"charts", list}}.dump(1) + "\n";
}

} // namespace vmall::sim::reproduce
