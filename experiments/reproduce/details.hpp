// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page of one experiment: everything that stands behind its lines of reproduction.md.
#pragma once

#include "experiments/reproduce/page.hpp"

#include <string>

namespace vmall::sim::reproduce {

// Markdown. `overview` is the path of the page that links this one. Throws std::invalid_argument if
// a table is not rectangular.
std::string details(const Finished &finished, const std::string &overview);

} // namespace vmall::sim::reproduce
