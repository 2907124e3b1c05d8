// SPDX-License-Identifier: GPL-2.0-or-later
//
// An experiment of a paper that we repeat: what the paper says, and what our runs give.
//
// What the paper says stands in `Claim`, as numbers, with its source. What we get is measured. The
// verdict follows from the two by the rule in verdict.hpp; no experiment states one.
//
// One file per table, figure or group of figures that share their runs; it defines one function
// that returns the Experiment, which registry.cpp lists.
#pragma once

#include "experiments/reproduce/chart.hpp"
#include "experiments/reproduce/context.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool open = false; // its ends do not belong to it
};

inline Range between(double low, double high) {
    return {low, high};
}
inline Range at_least(double low) {
    return {low, std::numeric_limits<double>::infinity()};
}
inline Range at_most(double high) {
    return {-std::numeric_limits<double>::infinity(), high};
}
// For "better than": doing the same is not enough.
inline Range more_than(double low) {
    return {low, std::numeric_limits<double>::infinity(), true};
}
inline Range less_than(double high) {
    return {-std::numeric_limits<double>::infinity(), high, true};
}

struct Claim {
    std::string says;    // in our words: "with malleability, long jobs respond 20 to 30 % sooner"
    std::string source;  // "ICS'05 s. 6.4.1, fig. 3a"
    std::string measure; // the number that decides, with unit: "mean response, shrink / requeue"
    Range accepted;      // the claim holds if the measure lies in it
    // How words became the range, where the paper gives no number: "'similar': within a fifth".
    std::string reading;
    bool headline = false; // what the paper stands for, shown first
};

// The measure of a claim in one situation, for example at one load.
struct Measurement {
    std::string where;          // "load 80 %"; may be empty if there is only one
    std::vector<double> values; // one for each seed, paired: of the same random workload
    bool exact = false;         // one value and no chance in it: a worked example, a formula
};

// The same measurements with one assumption changed.
struct Alternative {
    std::string assumption; // "folding costs nothing"
    std::vector<Measurement> measurements;
};

struct Finding {
    Claim claim;
    // Empty: it cannot be measured here, and `why` says what is missing.
    std::vector<Measurement> measurements;
    std::vector<Alternative> alternatives;
    // Facts from the runs that explain the result, chosen by code from what was computed.
    std::string why;
};

// Numbers to look at, for example every policy at every load. Cells are Markdown.
struct Table {
    std::string caption;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; // each as long as the header
};

struct Results {
    std::vector<Finding> findings; // at least one
    std::vector<Table> tables;
    std::vector<Chart> charts;
};

struct Experiment {
    std::string name;     // "ics05-fig-3": for the command line; lower case, digits, '.', '-'
    std::string source;   // "ICS'05, figures 3a and 3b"
    std::string compares; // what with what, on which workload, one or two sentences
    std::vector<std::string> assumptions; // where the paper leaves a parameter open
    std::function<Results(Context &)> run;
};

} // namespace vmall::sim::reproduce
