// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a claim of a paper holds in our runs.
//
// One measurement holds if its 95 % confidence interval lies within the range that the claim
// accepts, does not hold if it lies outside, and cannot be told if it straddles an end (more seeds
// may help). An exact measurement is its own interval. A finding holds if all its measurements
// do, does not hold if one does not, and cannot be told otherwise, or if nothing could be measured.
#pragma once

#include "experiments/reproduce/experiment.hpp"

#include <string>
#include <vector>

namespace vmall::sim::reproduce {

enum class Verdict { holds, does_not_hold, cannot_be_told };

std::string to_text(Verdict verdict); // "holds", "does not hold", "cannot be told"

// The interval of an exact measurement is its value. Throws std::invalid_argument unless an exact
// measurement has one value.
using sim::summarise;
Sample summarise(const Measurement &measurement);

Verdict judge(const Measurement &measurement, const Range &accepted);
Verdict judge(const std::vector<Measurement> &measurements, const Range &accepted);
Verdict judge(const Finding &finding);

// The measurement that decides: of those with the finding's verdict the one that is farthest
// outside the accepted range or, if it holds, nearest to an end of it. Null if nothing was
// measured.
const Measurement *decisive(const Finding &finding);

// The alternatives under which the verdict is another one, as "ASSUMPTION: VERDICT".
std::vector<std::string> sensitive_to(const Finding &finding);

} // namespace vmall::sim::reproduce
