// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a workload's jobs made use of, and what folding them could have filled: for whoever decides
// which users' jobs are to be virtually malleable.
#pragma once

#include "sim/model/job.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace vmall::sim {

enum class AdviceBy { partition, account, user };

// Of jobs that are alike. Core-hours are those of cores of their own, as they would be held
// unfolded.
struct Advice {
    std::vector<std::string> group; // a name for each AdviceBy
    std::size_t jobs = 0;
    double core_hours = 0;
    std::size_t known_jobs = 0; // whose share of useful time is known
    double known_core_hours = 0;
    double useful_core_hours = 0; // of these
    double filled_core_hours = 0; // of the others, that the jobs were folded for

    double useful_percent() const; // of the known core-hours; 0 if there are none
    double idle_core_hours() const { return known_core_hours - useful_core_hours; }
};

// A line for each group, the one with most to fill first.
std::vector<Advice> advise(const Workload &workload, const std::vector<AdviceBy> &by);

// For people: core-hours with one digit. The last line is the sum.
std::string advice_table(const std::vector<Advice> &advice, const std::vector<AdviceBy> &by);

// {"advice": [...]}, without the sum: `group` has a name by each of `by`; useful_percent is null if
// nothing is known.
nlohmann::ordered_json advice_json(const std::vector<Advice> &advice,
                                   const std::vector<AdviceBy> &by);

// As csv.hpp has it: the names of `by`, then jobs, core_hours, known_jobs, known_core_hours,
// useful_percent (empty if nothing is known), idle_core_hours, filled_core_hours.
void write_advice(std::ostream &out, const std::vector<Advice> &advice,
                  const std::vector<AdviceBy> &by);

const char *name_of(AdviceBy by);

} // namespace vmall::sim
