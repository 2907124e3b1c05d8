// SPDX-License-Identifier: GPL-2.0-or-later
//
// The allotment of a job as bars.
#pragma once

#include "tools/vmctl/style.hpp"
#include "wire/job_rows.hpp"

#include <cstddef>

namespace vmall::vmctl::top {

// "n[1-2] #---  n3 ##------": a bar for each set of nodes on which the job has equally many cores,
// a `#` for each core that it has on one of them, and a `-` for each that it gave up; where there
// is no room for so many, for several. What it gave up is known for all nodes together only, and is
// shown in the proportion of what it has. "+3" at the end: so many nodes have no room. A list of
// nodes that is longer than half of the width ends with "~". At most `width` characters.
Line bars(const wire::JobRow &job, std::size_t width);

} // namespace vmall::vmctl::top
