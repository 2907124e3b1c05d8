// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers as tables for people.
#include "tools/vmctl/table.hpp"

#include "tools/vmctl/layout.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <numeric>
#include <pwd.h>

namespace vmall::vmctl {

namespace {

using control::JobRow;
using control::NodeCores;

constexpr std::size_t longest_name = 20;

std::string user_name(uid_t uid) {
    const passwd *entry = getpwuid(uid);
    return entry ? entry->pw_name : std::to_string(uid);
}

std::string local_time(std::time_t time) {
    std::tm parts = {};
    char text[64];
    if (!localtime_r(&time, &parts) || !std::strftime(text, sizeof text, "%FT%T", &parts))
        return std::to_string(time);
    return text;
}

// "n[1-4]:8,n5:2": nodes with equally many cores of the job next to each other are put together.
std::string cores_per_node(const std::vector<NodeCores> &nodes) {
    std::string text;
    for (auto first = nodes.begin(); first != nodes.end();) {
        const auto last = std::find_if(
            first, nodes.end(), [&](const NodeCores &node) { return node.cores != first->cores; });
        std::vector<std::string> names;
        std::transform(first, last, std::back_inserter(names),
                       [](const NodeCores &node) { return node.node; });
        text += (text.empty() ? "" : ",") + ranged(names) + ":" + std::to_string(first->cores);
        first = last;
    }
    return text;
}

// "1,4-8"
std::string sizes_of(const control::WaitingRow &job) {
    std::string text;
    for (const auto &[first, last] : job.sizes.ranges())
        text += (text.empty() ? "" : ",") + std::to_string(first) +
                (last == first ? "" : "-" + std::to_string(last));
    return text;
}

std::string attached(const JobRow &job) {
    return job.ranks ? std::to_string(job.ranks->attached) + "/" + std::to_string(job.ranks->tasks)
                     : "N/A";
}

std::string engine(const JobRow &job) {
    const std::string names = job.ranks ? control::names_of_engines(job.ranks->engines) : "";
    return names.empty() ? "N/A" : names;
}

std::string useful(const JobRow &job) {
    return job.useful_percent ? std::to_string(*job.useful_percent) + "%" : "N/A";
}

std::uint64_t cores_now(const JobRow &job) {
    return std::accumulate(
        job.nodes.begin(), job.nodes.end(), std::uint64_t{0},
        [](std::uint64_t sum, const NodeCores &node) { return sum + node.cores; });
}

} // namespace

std::string jobs_table(const std::vector<JobRow> &jobs, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"JOBID", "NAME", "USER", "CLASS", "PROCS", "CORES", "FULL", "MPL",
                         "CORE_SECONDS", "BACKFILLED", "WINDOW_END", "FOLDS", "UNFOLDS",
                         "GENERATION", "RESIZE", "ATTACHED", "ENGINE", "USEFUL", "NODES:CORES"});
    for (const JobRow &job : jobs)
        lines.push_back(
            {std::to_string(job.job_id), printable(job.name).substr(0, longest_name),
             user_name(job.user_id), name_of(job.job_class), std::to_string(job.processes),
             std::to_string(cores_now(job)), std::to_string(job.full_cores),
             std::to_string(job.mpl), std::to_string(job.core_seconds),
             job.backfilled ? "yes" : "no", job.window_end ? local_time(*job.window_end) : "N/A",
             std::to_string(job.folds), std::to_string(job.unfolds),
             std::to_string(job.generation_applied), job.resize_pending ? "pending" : "done",
             attached(job), engine(job), useful(job), cores_per_node(job.nodes)});
    return lay_out(lines, {true, false, false, false, true, true, true, true, true, false, false,
                           true, true, true, false, true, false, true, false});
}

std::string queue_table(const std::vector<control::WaitingRow> &queue, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"JOBID", "NAME", "USER", "CLASS", "PARTITION", "SIZES", "REASON"});
    for (const control::WaitingRow &job : queue)
        lines.push_back({std::to_string(job.job_id), printable(job.name).substr(0, longest_name),
                         user_name(job.user_id), name_of(job.job_class), printable(job.partition),
                         sizes_of(job), printable(job.reason)});
    return lay_out(lines, {true, false, false, false, false, false, false});
}

std::string config_table(const std::vector<control::SettingRow> &config, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"KEY", "VALUE", "FROM"});
    for (const control::SettingRow &row : config)
        lines.push_back({printable(row.key), row.value.empty() ? "(none)" : printable(row.value),
                         printable(row.from)});
    return lay_out(lines, {false, false, false});
}

std::string stats_table(const std::vector<control::Stat> &stats, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"NAME", "VALUE", "MEANING"});
    for (const control::Stat &stat : stats)
        lines.push_back({stat.name, std::to_string(stat.value), stat.help});
    return lay_out(lines, {false, true, false});
}

} // namespace vmall::vmctl
