// SPDX-License-Identifier: GPL-2.0-or-later
//
// The history as a picture, which the program vmsim-pictures draws.
#pragma once

#include "wire/history_rows.hpp"

#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl {

// What is drawn from: the history with the times, in seconds since the epoch, from which and up to
// which it is drawn.
std::string timeline_of(const std::vector<wire::HistoryRow> &history,
                        std::optional<std::time_t> since, std::time_t until);

// Runs `vmsim-pictures --timeline OUT`, the one beside this program or else the one on the PATH,
// which reads the timeline. Throws std::runtime_error if it is not there or fails; it tells itself
// what is wrong then.
void draw(const std::string &timeline, const std::string &out);

} // namespace vmall::vmctl
