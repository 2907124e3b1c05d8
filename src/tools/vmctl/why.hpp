// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a job waits, is folded or is not, and what became of it: in sentences.
#pragma once

#include "wire/query.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vmall::vmctl {

// What sched/fjt says: of all jobs that run, that wait, and that take no part although they asked;
// and the history of this one and of those that made room for it.
struct Known {
    std::vector<wire::JobRow> jobs;
    std::vector<wire::WaitingRow> queue;
    std::vector<wire::LeftOutRow> left_out;
    std::vector<wire::HistoryRow> history;
};

// None: nothing is known of the job.
std::vector<std::string> explain(std::uint32_t job, const Known &known);

// What somebody is told who asks for such a one.
std::string not_known(std::uint32_t job);

std::string lines_of(const std::vector<std::string> &sentences);
std::string encode_why(std::uint32_t job, const std::vector<std::string> &sentences);

} // namespace vmall::vmctl
