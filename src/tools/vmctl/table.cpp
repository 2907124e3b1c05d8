// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers as tables for people.
#include "tools/vmctl/table.hpp"

#include "tools/vmctl/cells.hpp"
#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/words.hpp"

namespace vmall::vmctl {

namespace {

using wire::JobRow;
using wire::NodeCores;

// "n[1-4]:8,n5:2"
std::string cores_per_node(const std::vector<NodeCores> &nodes) {
    std::string text;
    for (const NodeGroup &group : node_groups(nodes))
        text += (text.empty() ? "" : ",") + ranged(group.names) + ":" + std::to_string(group.cores);
    return text;
}

std::string attached(const JobRow &job) {
    return job.ranks ? std::to_string(job.ranks->attached) + "/" + std::to_string(job.ranks->tasks)
                     : "N/A";
}

std::string engine(const JobRow &job) {
    const std::string names = job.ranks ? wire::names_of_engines(job.ranks->engines) : "";
    return names.empty() ? "N/A" : names;
}

} // namespace

std::string jobs_table(const std::vector<JobRow> &jobs, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"JOBID",      "NAME",   "USER",    "CLASS",        "PROCS",
                         "CORES",      "FULL",   "MPL",     "CORE_SECONDS", "BACKFILLED",
                         "WINDOW_END", "FOLDS",  "UNFOLDS", "GENERATION",   "RESIZE",
                         "ATTACHED",   "ENGINE", "USEFUL",  "LOST",         "NODES:CORES"});
    for (const JobRow &job : jobs)
        lines.push_back({std::to_string(job.job_id),
                         short_name(job.name),
                         user_name(job.user_id),
                         class_name(job.job_class),
                         std::to_string(job.processes),
                         std::to_string(cores_now(job)),
                         std::to_string(job.full_cores),
                         std::to_string(job.mpl),
                         number_or_none(job.core_seconds),
                         job.backfilled ? "yes" : "no",
                         job.window_end ? local_time(*job.window_end) : "N/A",
                         number_or_none(job.folds),
                         number_or_none(job.unfolds),
                         std::to_string(job.generation_applied),
                         job.resize_pending ? "pending" : "done",
                         attached(job),
                         engine(job),
                         useful_share(job),
                         number_or_none(job.lost_seconds),
                         cores_per_node(job.nodes)});
    return lay_out(lines, {true,  false, false, false, true,  true, true,  true, true, false,
                           false, true,  true,  true,  false, true, false, true, true, false});
}

std::string queue_table(const std::vector<wire::WaitingRow> &queue, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back(
            {"JOBID", "NAME", "USER", "CLASS", "PARTITION", "SIZES", "START", "REASON"});
    for (const wire::WaitingRow &job : queue)
        lines.push_back({std::to_string(job.job_id), short_name(job.name), user_name(job.user_id),
                         name_of(job.job_class), printable(job.partition), sizes_of(job),
                         job.expected_start ? local_time(*job.expected_start) : "N/A",
                         printable(job.reason)});
    return lay_out(lines, {true, false, false, false, false, false, false, false});
}

std::string config_table(const std::vector<wire::SettingRow> &config, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"KEY", "VALUE", "FROM"});
    for (const wire::SettingRow &row : config)
        lines.push_back({printable(row.key), row.value.empty() ? "(none)" : printable(row.value),
                         printable(row.from)});
    return lay_out(lines, {false, false, false});
}

std::string stats_table(const std::vector<wire::Stat> &stats, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"NAME", "VALUE", "MEANING"});
    for (const wire::Stat &stat : stats)
        lines.push_back({stat.name, std::to_string(stat.value), stat.help});
    return lay_out(lines, {false, true, false});
}

} // namespace vmall::vmctl
