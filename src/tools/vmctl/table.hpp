// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers as tables for people.
#pragma once

#include "wire/query.hpp"

#include <string>
#include <vector>

namespace vmall::vmctl {

// One line per job (or key, or counter) under a line of column titles, unless there shall be none.
// Characters of job names that could fool a terminal, and those beyond ASCII, become `?`; long
// names are cut.
std::string jobs_table(const std::vector<wire::JobRow> &jobs, bool header);
std::string queue_table(const std::vector<wire::WaitingRow> &queue, bool header);
std::string config_table(const std::vector<wire::SettingRow> &config, bool header);
std::string stats_table(const std::vector<wire::Stat> &stats, bool header);

} // namespace vmall::vmctl
