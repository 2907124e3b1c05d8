// SPDX-License-Identifier: GPL-2.0-or-later
//
// What can be told for Prometheus where agents deal cores themselves (mode=node).
#pragma once

#include "control/metrics.hpp"
#include "tools/vmctl/node_jobs.hpp"

#include <vector>

namespace vmall::vmctl {

std::vector<control::MetricFamily> metrics_of(const NodeJobs &told);

} // namespace vmall::vmctl
