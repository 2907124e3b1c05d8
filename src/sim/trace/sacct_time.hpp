// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times as sacct prints them.
#pragma once

#include "policy/model.hpp"

#include <optional>
#include <string_view>

namespace vmall::sim {

struct SacctTime {
    policy::Seconds seconds = 0; // since 1970, there or (without zone) on the clock of the site
    bool zoned = false;          // with time zone, or as seconds
};

// Seconds since 1970, YYYY-MM-DDTHH:MM:SS, or this followed by Z, +HHMM or +HH:MM. Nothing if it is
// none of them.
std::optional<SacctTime> parse_sacct_time(std::string_view text);

// sacct's words for a time that has not come or never will.
bool is_no_time(std::string_view text);

// [DAYS-]HH:MM:SS, MM:SS or MM:SS.mmm, cut to whole seconds.
std::optional<policy::Seconds> parse_sacct_duration(std::string_view text);

} // namespace vmall::sim
