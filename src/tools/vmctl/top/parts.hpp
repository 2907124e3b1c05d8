// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of what vmctl top shows. No line is longer than the width.
#pragma once

#include "tools/vmctl/top/view.hpp"

namespace vmall::vmctl::top {

// Who is asked, how many jobs run and wait, the cores lent, the last pass, and what is wrong.
std::vector<Line> header_lines(const Sight &sight, std::size_t width);

// Each under a line of titles, in the order given. What is narrow leaves out columns.
std::vector<Line> job_lines(const std::vector<wire::JobRow> &jobs, std::size_t width);
std::vector<Line> queue_lines(const std::vector<wire::WaitingRow> &queue, std::size_t width);
std::vector<Line> event_lines(const std::vector<wire::HistoryRow> &events, std::size_t width);
std::vector<Line> growth_lines(const std::vector<Growth> &growths, std::size_t width);

} // namespace vmall::vmctl::top
