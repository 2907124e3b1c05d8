// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which of the two descriptions of FJT reproduces the papers' results better.
#pragma once

#include "experiments/reproduce/page.hpp"

#include <string>
#include <vector>

namespace vmall::sim::reproduce {

// Of the claims that were measured under both variants.
struct VariantScore {
    int holds = 0, does_not_hold = 0, cannot_be_told = 0;
};

struct VariantComparison {
    VariantScore by_default, other;     // of vmall.conf's `fjt`, and the one that is not
    std::vector<std::string> differing; // "experiment, claim: verdict, verdict"
    bool other_is_better = false;       // more claims hold; if as many, fewer do not
};

VariantComparison compare_variants(const std::vector<Finished> &finished);

// A section of the page; empty if no claim was measured under both.
std::string variants_section(const std::vector<Finished> &finished);

} // namespace vmall::sim::reproduce
