// SPDX-License-Identifier: GPL-2.0-or-later
//
// What can be told for Prometheus where agents deal cores themselves (mode=node).
#pragma once

#include "tools/vmctl/node_jobs.hpp"
#include "wire/metrics.hpp"

#include <vector>

namespace vmall::vmctl {

std::vector<wire::MetricFamily> metrics_of(const NodeJobs &told);

} // namespace vmall::vmctl
