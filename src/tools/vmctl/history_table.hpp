// SPDX-License-Identifier: GPL-2.0-or-later
//
// The history as a table, and its words.
#pragma once

#include "wire/history_rows.hpp"

#include <string>
#include <vector>

namespace vmall::vmctl {

std::string history_table(const std::vector<wire::HistoryRow> &history, bool header);

// "8->4"
std::string cores_from_to(const wire::HistoryRow &row);

// As the table has it: reason_of(), or what a run that has ended has cost and gained.
std::string why_of(const wire::HistoryRow &row);

// "to make room for job 43", "because cores were free"; empty: nobody has said.
std::string reason_of(const wire::HistoryRow &row);

// "It held 1200 core-seconds, lent 300, …": what a run has cost and gained.
std::string told(const wire::Balance &balance);

} // namespace vmall::vmctl
