// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dowdy's extrapolation: the whole efficiency curve of an application from one measurement.
// Corbalan's thesis, s. 6.3.3 with figures 6.6 and 6.7.
#pragma once

#include "policy/settings.hpp"
#include "policy/sharing/application.hpp"

#include <optional>

namespace vmall::policy::sharing {

// Takes the place of a measured efficiency of 1 and more, where the formula has no meaning.
inline constexpr double superlinear = 0.999;

// The formula as it stands: Efficiency(p) = (1 + beta) / (p + beta), and its beta for one measured
// point. It has no meaning where the efficiency is 1 or more, or was measured on one processor.
double dowdy_beta(int processors, double efficiency);
double dowdy_efficiency(double beta, int processors);

// Through one measured point, superlinear ones taken for 0.999.
class DowdyCurve {
  public:
    // The efficiency on so many processors, 2 or more, was positive.
    DowdyCurve(int processors, double efficiency);

    double at(int processors) const; // 1 or more

  private:
    double beta_;
};

// The efficiencies by which Equal_efficiency decides: measured where they were, extrapolated from
// the most recent measurement elsewhere; superlinear ones are taken for 0.999. A measurement on one
// processor cannot be extrapolated, for every curve goes through it: the thesis' formula then gives
// 0 on more processors (OneProcessor::zero), or the measurement before it counts
// (OneProcessor::unknown).
class EfficiencyCurve {
  public:
    EfficiencyCurve(const Application &application, OneProcessor rule);

    // Nothing to extrapolate from: at() must not be asked.
    bool unknown() const { return !zero_ && !curve_; }
    double at(int processors) const;

  private:
    const Application &application_;
    bool zero_ = false;
    std::optional<DowdyCurve> curve_;
};

} // namespace vmall::policy::sharing
