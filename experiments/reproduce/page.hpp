// SPDX-License-Identifier: GPL-2.0-or-later
//
// reproduction.md, from what the experiments gave: every claim on one line, with the pictures.
// What stands behind a line has a page for each experiment (details.hpp).
#pragma once

#include "experiments/reproduce/experiment.hpp"

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

// Markdown. Pictures are linked as FOLDER/NAME.svg, the pages of the experiments as
// FOLDER/NAME.md. Throws std::invalid_argument if an experiment has no finding.
std::string page(const std::vector<Finished> &finished, const PageFacts &facts,
                 const std::string &folder);

} // namespace vmall::sim::reproduce
