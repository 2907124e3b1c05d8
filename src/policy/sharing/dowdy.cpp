// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dowdy's extrapolation.
#include "policy/sharing/dowdy.hpp"

#include <algorithm>

namespace vmall::policy::sharing {

double dowdy_beta(int processors, double efficiency) {
    return (processors * efficiency - 1) / (1 - efficiency);
}

double dowdy_efficiency(double beta, int processors) {
    return (1 + beta) / (processors + beta);
}

DowdyCurve::DowdyCurve(int processors, double efficiency)
    : beta_(dowdy_beta(processors, std::min(efficiency, superlinear))) {}

double DowdyCurve::at(int processors) const {
    return dowdy_efficiency(beta_, processors);
}

EfficiencyCurve::EfficiencyCurve(const Application &application, OneProcessor rule)
    : application_(application) {
    const auto &measured = application.measured;
    const auto from = std::find_if(measured.rbegin(), measured.rend(), [&](const auto &sample) {
        return sample.processors > 1 || rule == OneProcessor::zero;
    });
    if (from == measured.rend())
        return;
    if (from->processors > 1)
        curve_.emplace(from->processors, from->speedup / from->processors);
    else
        zero_ = true;
}

double EfficiencyCurve::at(int processors) const {
    if (const auto measured = measured_efficiency(application_, processors))
        return std::min(*measured, superlinear);
    return zero_ ? 0 : curve_->at(processors);
}

} // namespace vmall::policy::sharing
