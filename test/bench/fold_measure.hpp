// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ratios of runs that followed each other.
#pragma once

#include "fold_agreement.hpp"
#include "fold_row.hpp"
#include "fold_side.hpp"

#include <map>
#include <string>
#include <vector>

namespace vmall::bench {

struct Conditions {
    test::Cpus cpus;
    int repetitions;
    double cap; // a run that takes more times the reference is ended and not repeated
};

// Results of all runs so far, by the name of the application.
using Agreements = std::map<std::string, Agreement>;

// An application on several sides, beside what they are compared with: the ideal of their MPI and
// length, or another side.
struct Comparison {
    std::string table;
    const Application &application;
    int mpl;
    std::vector<Side> sides; // with MPL 1 unfolded ones, otherwise folded ones
    std::string over;        // a side's name; empty: the ideal
};

// Every repetition runs the reference and all the sides, every other one in reverse order. A side
// that fails, or takes too long, is left out of the repetitions that follow; the others go on.
// Beside the programs' rows of "ours" there are rows of a table "stretches": the microseconds that
// were computed between two hand-overs of a CPU. Progress goes to stderr.
std::vector<Row> measure(const Comparison &comparison, const Conditions &conditions,
                         Agreements &agreements);

// Twice a second the ranks, one for each CPU, are folded onto half of the CPUs, and unfolded. The
// ratio is the work that would have been done in the time without switching, over what was done.
Row measure_switching(const Application &application, const Conditions &conditions);

// Two jobs at once on the same CPUs, with the time of the first over its ideal. "self": each has
// half of the CPUs for itself and competes with itself; "two jobs": each has all CPUs, and they
// compete with each other (thesis, tables 4.6 and 4.7). The second is started again until the first
// has ended.
std::vector<Row> measure_rivals(const Application &first, const Application &second, int mpl,
                                const Conditions &conditions);

// Nanoseconds of an empty poll and of a message, unfolded: without the runtime, with it preloaded
// into a program that is no job's, and with it attached; and of a message that hands the CPU over,
// and a hand-over alone.
std::vector<Row> measure_calls(const Conditions &conditions);

} // namespace vmall::bench
