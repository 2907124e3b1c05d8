// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl top: jobs, allotments, who waits and what changes, live.
#pragma once

#include "tools/vmctl/top/observation.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace vmall::vmctl::top {

struct Options {
    std::function<Source()> find;
    std::chrono::seconds interval;
};

// Once, in lines that all of the text needs, as wide as COLUMNS or the terminal says, or else 120
// characters.
// Throws what find() and observe() do.
std::string once(const Options &options, bool coloured);
std::string once_as_json(const Options &options);

bool can_be_live(); // standard input and output are a terminal that is not dumb

// Until q is pressed, or SIGINT, SIGTERM or SIGHUP comes: the terminal is then as it was. A
// controller that does not answer is shown, and asked again. Throws std::runtime_error if the
// terminal cannot be used. Then ends the process with status 0.
[[noreturn]] void live(const Options &options);

} // namespace vmall::vmctl::top
