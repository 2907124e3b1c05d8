// SPDX-License-Identifier: GPL-2.0-or-later
//
// The directory that `vmsim run` writes:
//
//   summary.json               what was run, and the summary of each result
//   POLICY/summary.json        one result: src/sim/report/summary.hpp
//   POLICY/jobs.csv            its jobs: src/sim/report/csv.hpp, as the next two
//   POLICY/allotments.csv      if timelines were asked for
//   POLICY/usage.csv           likewise
//   *.svg                      if pictures were asked for
//
// With several workloads a result is in POLICY/N, where N counts the workloads from 1 on. A result
// is written as soon as it is there, so that an interrupted run keeps those that were finished.
#pragma once

#include "sim/engine/outcome.hpp"
#include "sim/report/summary.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vmall::vmsim {

// Makes the directory, with an empty summary.json that marks it as taken. Throws std::runtime_error
// if it is there already and not empty.
void make_results_directory(const std::filesystem::path &directory);

// Of one result, into a directory of its own. Throws std::system_error or std::runtime_error.
void write_result(const std::filesystem::path &directory, const sim::Outcome &outcome,
                  const sim::Summary &summary, const sim::SummaryOptions &options, bool timelines);

void write_json(const std::filesystem::path &file, const nlohmann::ordered_json &value);

} // namespace vmall::vmsim
