// SPDX-License-Identifier: GPL-2.0-or-later
//
// Metrics as Prometheus reads them.
#pragma once

#include "wire/metrics.hpp"

#include <prometheus/metric_family.h>

#include <string>
#include <vector>

namespace vmall::vmctl {

// With slurm_vm_up, which is 1.
std::vector<prometheus::MetricFamily> families_of(const std::vector<wire::MetricFamily> &metrics);

// The controller does not answer: slurm_vm_up, which is 0.
std::vector<prometheus::MetricFamily> families_without_answer();

// Prometheus' text format.
std::string exposition(const std::vector<prometheus::MetricFamily> &families);

} // namespace vmall::vmctl
