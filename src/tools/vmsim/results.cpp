// SPDX-License-Identifier: GPL-2.0-or-later
//
// The directory that `vmsim run` writes.
#include "tools/vmsim/results.hpp"

#include "sim/report/csv.hpp"
#include "tools/vmsim/output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace vmall::vmsim {

namespace {

void write(const std::filesystem::path &file, const std::function<void(std::ostream &)> &content) {
    OutputFile out(file.string());
    content(out.stream());
    out.close();
}

} // namespace

void make_results_directory(const std::filesystem::path &directory) {
    make_directory(directory);
    const bool empty = std::filesystem::is_empty(directory);
    // Only one of two runs that start at the same time makes the file.
    const std::string summary = (directory / "summary.json").string();
    const int file =
        empty ? open(summary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (!empty || (file < 0 && errno == EEXIST)) {
        throw std::runtime_error(directory.string() +
                                 ": is not empty; results go into a directory of their own");
    }
    if (file < 0)
        throw std::system_error(errno, std::generic_category(), summary);
    close(file);
}

void write_result(const std::filesystem::path &directory, const sim::Outcome &outcome,
                  const sim::Summary &summary, const sim::SummaryOptions &options, bool timelines) {
    make_directory(directory);
    write(directory / "jobs.csv", [&](std::ostream &out) {
        sim::write_jobs(out, outcome, sim::select(outcome, options.selection),
                        options.slowdown_bound);
    });
    if (timelines) {
        write(
            directory / "allotments.csv",
            [&](std::ostream &out) { sim::write_allotments(out, outcome); });
        write(directory / "usage.csv", [&](std::ostream &out) { sim::write_usage(out, outcome); });
    }
    write_json(directory / "summary.json", sim::to_json(summary));
}

void write_json(const std::filesystem::path &file, const nlohmann::ordered_json &value) {
    write(
        file, [&](std::ostream &out) { out << value.dump(2) << '\n'; });
}

} // namespace vmall::vmsim
