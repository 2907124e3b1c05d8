// SPDX-License-Identifier: GPL-2.0-or-later
//
// What one check of an installation has found.
#pragma once

#include <string>
#include <vector>

namespace vmall::vmctl {

struct Diagnosis {
    std::string check;
    std::vector<std::string> where; // "here", "controller", or nodes
    std::string what;               // a phrase
    std::string fix;                // what to do, a sentence; empty: all is well

    bool ok() const { return fix.empty(); }
};

using Diagnoses = std::vector<Diagnosis>;

// The same of several nodes put together, next to others of the same check.
Diagnoses merged(const Diagnoses &diagnoses);

// One line each under a line of column titles, unless there shall be none. Characters that could
// fool a terminal become `?`.
std::string diagnoses_table(const Diagnoses &diagnoses, bool header, bool coloured = false);
std::string encode(const Diagnoses &diagnoses); // JSON

} // namespace vmall::vmctl
