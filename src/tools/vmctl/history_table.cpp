// SPDX-License-Identifier: GPL-2.0-or-later
//
// The history as a table, and its words.
#include "tools/vmctl/history_table.hpp"

#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/words.hpp"

namespace vmall::vmctl {

namespace {

using common::Cause;
using wire::Event;
using wire::HistoryRow;

std::string whom(const HistoryRow &row) {
    return row.for_job ? "job " + std::to_string(*row.for_job) : "others";
}

} // namespace

std::string cores_from_to(const HistoryRow &row) {
    return std::to_string(row.cores_before) + "->" + std::to_string(row.cores_after);
}

std::string why_of(const HistoryRow &row) {
    if (row.balance)
        return told(*row.balance);
    if (row.event == Event::seen)
        return "ran already";
    return row.cause ? reason_of(row) : "not known";
}

std::string reason_of(const HistoryRow &row) {
    if (!row.cause)
        return "";
    switch (*row.cause) {
    case Cause::turn:
        return "in its turn";
    case Cause::backfill:
        return "before its turn (backfilled)";
    case Cause::preemption:
        return "where Slurm preempts others";
    case Cause::room:
        return "to make room for " + whom(row);
    case Cause::window:
        return "because its window has expired, to make room for " + whom(row);
    case Cause::growth:
        return "so that another running job grows";
    case Cause::sharing:
        return "because all jobs of the node share it (sharing)";
    case Cause::free_cores:
        return "because cores were free";
    case Cause::limit:
        break;
    }
    return "because it was folded deeper than it may be";
}

std::string told(const wire::Balance &balance) {
    std::string text = "held " + count_of(balance.core_seconds, "core-second");
    if (balance.seconds_folded == 0)
        return text + ", never folded";
    return text + ", lent " + std::to_string(balance.core_seconds_lent) + ", folded for " +
           duration(balance.seconds_folded) + ", lost " + duration(balance.seconds_lost);
}

std::string history_table(const std::vector<HistoryRow> &history, bool header) {
    std::vector<Line> lines;
    if (header)
        lines.push_back({"TIME", "JOBID", "NAME", "USER", "CLASS", "EVENT", "CORES", "MPL", "WHY"});
    for (const HistoryRow &row : history)
        lines.push_back({local_time(row.time), std::to_string(row.job_id), short_name(row.name),
                         user_name(row.user_id), common::name_of(row.job_class),
                         wire::name_of(row.event), cores_from_to(row), std::to_string(row.mpl),
                         why_of(row)});
    return lay_out(lines, {false, true, false, false, false, false, true, true, false});
}

} // namespace vmall::vmctl
