// SPDX-License-Identifier: GPL-2.0-or-later
//
// A picture as numbers; vmsim-pictures draws it.
//
// The file that vmsim-pictures reads is a JSON object:
//
//     {"format": "vmsim-charts-1",
//      "charts": [{"name": "ics05-fig-3",          file name of the picture, without ".svg"
//                  "title": "…",
//                  "panels": [{                    drawn side by side under one legend
//                      "kind": "bars",             or "lines"
//                      "title": "long jobs",
//                      "x_label": "load (%)", "y_label": "mean response time (s)",
//                      "x": ["40", "60"],          bars: texts; lines: numbers, ascending
//                      "series": [{"name": "FIFO",
//                                  "mean": [1, 2], as many as x; null where there is no value
//                                  "low": [0.5, 1.5], "high": [1.5, 2.5],
//                                  "paper": [1.2, null]}]}]}]}
//
// "low" and "high" are the 95 % confidence interval (whiskers of bars, a band around lines), null
// where there is none. "paper", which may be missing, is what the paper says, drawn as a mark.
// A chart may have "marks": what says it, if not the paper.
// Series of the same name have the same colour in every panel.
#pragma once

#include "sim/report/sample.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vmall::sim::reproduce {

struct Series {
    std::string name;
    std::vector<std::optional<Sample>> points; // one for each x
    // What the paper says, one for each x; empty if it says nothing.
    std::vector<std::optional<double>> paper = {};
};

struct Panel {
    std::string title;
    std::string x_label;
    std::string y_label;
    // Texts: grouped bars. Numbers, ascending: lines.
    std::variant<std::vector<std::string>, std::vector<double>> x;
    std::vector<Series> series;
};

struct Chart {
    std::string name; // unique; letters, digits, '.', '-'
    std::string title;
    std::vector<Panel> panels;
};

// The text of the file; the same charts give the same bytes. Throws std::invalid_argument if a
// series has not one point for each x.
std::string charts_json(const std::vector<Chart> &charts);

} // namespace vmall::sim::reproduce
