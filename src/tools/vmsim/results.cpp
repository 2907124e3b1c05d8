// SPDX-License-Identifier: GPL-2.0-or-later
//
// The directory that `vmsim run` writes.
#include "tools/vmsim/results.hpp"

#include "sim/report/csv.hpp"
#include "tools/vmsim/output_file.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace vmall::vmsim {

namespace {

void write(const std::filesystem::path &file, const std::function<void(std::ostream &)> &content) {
    OutputFile out(file.string());
    content(out.stream());
    out.close();
}

} // namespace

void make_results_directory(const std::filesystem::path &directory) {
    std::filesystem::create_directories(directory);
    if (!std::filesystem::is_empty(directory)) {
        throw std::runtime_error(directory.string() +
                                 ": is not empty; results go into a directory of their own");
    }
}

void write_result(const std::filesystem::path &directory, const sim::Outcome &outcome,
                  const sim::Summary &summary, const sim::SummaryOptions &options, bool timelines) {
    std::filesystem::create_directories(directory);
    write(directory / "jobs.csv", [&](std::ostream &out) {
        sim::write_jobs(out, outcome, sim::select(outcome, options.selection),
                        options.slowdown_bound);
    });
    if (timelines) {
        write(directory / "allotments.csv",
              [&](std::ostream &out) { sim::write_allotments(out, outcome); });
        write(directory / "usage.csv", [&](std::ostream &out) { sim::write_usage(out, outcome); });
    }
    write_json(directory / "summary.json", sim::to_json(summary));
}

void write_json(const std::filesystem::path &file, const nlohmann::ordered_json &value) {
    write(file, [&](std::ostream &out) { out << value.dump(2) << '\n'; });
}

} // namespace vmall::vmsim
