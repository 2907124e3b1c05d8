// SPDX-License-Identifier: GPL-2.0-or-later
//
// Results side by side: vmsim compare, for people and for programs.
#pragma once

#include "tools/vmsim/saved_results.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct ComparedRow {
    std::string name;
    Saved saved;
};

// Means, and their ratio to those of the first row; with several workloads "12.3 +-0.4": the 95 %
// confidence interval. Blank where there is nothing to compare.
std::string table_of(const std::vector<ComparedRow> &rows);

// {"results": [...]}: of each row policy, workloads, measures and utilisation. A value has its
// mean and, with several workloads, low and high; a ratio likewise, or is null.
nlohmann::ordered_json json_of(const std::vector<ComparedRow> &rows);

} // namespace vmall::vmsim
