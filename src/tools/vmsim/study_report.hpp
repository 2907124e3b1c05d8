// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study: its table, in every form.
//
// In the directory that is written:
//   summary.json   format, program, finished, workload, cores, rows
//   study.csv      a line for each row
//   study.md       the table in Markdown
//   responses.svg  drawn by vmsim-pictures from summary.json
#pragma once

#include "sim/report/beside.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct StudyRow {
    std::string name;
    bool drawn = false;
    sim::Beside all;
    sim::Beside long_jobs;
    sim::Beside short_jobs;
};

struct Study {
    std::string workload;
    int cores = 0;
    bool log_says_who = false; // takes part
    bool finished = false;
    std::vector<StudyRow> rows;
};

// For people, on a terminal; what no jobs have is blank.
std::string text_of(const Study &study);

// A table with a line above it that says what its columns are.
std::string markdown_of(const Study &study);

// Empty where no jobs are.
std::string csv_of(const Study &study);

// Null where no jobs are. Rows that are drawn have `response_ratios`: the percentiles 0.5, 1 ...
// 99.5.
nlohmann::ordered_json json_of(const Study &study);

} // namespace vmall::vmsim
