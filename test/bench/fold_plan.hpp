// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is measured, in the order of importance, and how long that takes.
#pragma once

#include "fold_measure.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::bench {

using Names = std::vector<std::string>;

// Of the whole plan. What is empty chooses all.
struct Choice {
    Names tables, programs, sides;
    std::vector<int> mpls;
    int repetitions = 0;     // 0: as planned
    bool every_side = false; // for every program; else some sides for some programs only
    bool short_runs = false; // to try, not to measure
};

// The names that a choice may have.
Names all_tables();
Names all_programs();
Names all_sides();

// Something that gives rows, measured in one go.
struct Item {
    std::string name;
    double expected_seconds; // of all
    std::function<std::vector<Row>(Agreements &)> measure;
};

// What is chosen and not on record.
std::vector<Item> make_plan(const Choice &choice, const test::Cpus &cpus, double cap,
                            const Record &record);

} // namespace vmall::bench
