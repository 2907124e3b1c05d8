// SPDX-License-Identifier: GPL-2.0-or-later
//
// doc/reproduction.md, from what the experiments gave.
#pragma once

#include "sim/reproduce/experiment.hpp"

#include <string>
#include <vector>

namespace vmall::sim::reproduce {

struct Finished {
    Experiment experiment;
    Results results;
};

struct PageFacts {
    std::string command; // that writes this page
    int seeds = 0;
    std::vector<std::string> not_run; // names of experiments that were asked for and did not end
};

// Markdown: the claims with their verdicts first, then a section for each experiment. Pictures are
// linked as PICTURES/NAME.svg. Throws std::invalid_argument if an experiment has no finding or a
// table is not rectangular.
std::string page(const std::vector<Finished> &finished, const PageFacts &facts,
                 const std::string &pictures);

} // namespace vmall::sim::reproduce
