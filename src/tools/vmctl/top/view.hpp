// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl top shows, as lines of text.
#pragma once

#include "tools/vmctl/style.hpp"
#include "tools/vmctl/top/history.hpp"
#include "tools/vmctl/top/observation.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl::top {

struct Sight {
    std::time_t now = 0;
    std::string controller;          // who is asked; empty: not known yet
    std::optional<Observation> seen; // the last one
    std::string problem;             // why there is none since then; empty: nothing is wrong
    History history;
};

struct Size {
    std::size_t width;                 // characters, at least 40
    std::optional<std::size_t> height; // lines; none: as many as there are
};

// A header, the running jobs, the deepest folded first, those that wait, what was done to jobs
// last, and which counters grew last. Where lines do not suffice for all, each part is given some
// and says how many are missing. No line is longer than the width. Names are shown as by
// jobs_table().
std::vector<Line> lines_of(const Sight &sight, const Size &size);

} // namespace vmall::vmctl::top
