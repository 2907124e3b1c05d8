// SPDX-License-Identifier: GPL-2.0-or-later
//
// What happened, for people. Nothing is put into words unless somebody is going to read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vmall::simulation {

struct Trace {
    bool is_on = false;
    std::vector<std::string> lines;
};
inline Trace trace;

template <typename Words>
void tell(const Words &words) {
    if (trace.is_on)
        trace.lines.push_back(words());
}

} // namespace vmall::simulation
