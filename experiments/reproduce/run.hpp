// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs experiments and collects what they gave.
#pragma once

#include "experiments/reproduce/page.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

// The experiments with these names, in the order of the registry; all if there are no names. Throws
// std::invalid_argument with the names there are if one is unknown.
std::vector<Experiment> choose(const std::vector<std::string> &names);

struct Run {
    std::vector<Finished> finished;
    std::vector<std::string> not_run; // not empty: it was stopped
};

// One after another, until Progress::stop is set; what has finished by then is kept. `announce` is
// called with the name of each before it starts.
Run run_all(const std::vector<Experiment> &experiments, Context &context,
            const std::function<void(const std::string &name)> &announce);

// Charts of all, for charts_json(). Throws std::invalid_argument if two have the same name.
std::vector<Chart> charts_of(const std::vector<Finished> &finished);

} // namespace vmall::sim::reproduce
