// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.3.3 and 6.5.1: what Dowdy's formula makes of one measurement.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/text.hpp"
#include "policy/sharing/dowdy.hpp"

#include <cmath>

namespace vmall::sim::reproduce {

namespace {

using policy::sharing::dowdy_beta;
using policy::sharing::dowdy_efficiency;

double extrapolated(int measured_on, double efficiency, int processors) {
    return dowdy_efficiency(dowdy_beta(measured_on, efficiency), processors);
}

Finding exactly(Claim claim, double value, std::string why = "") {
    return {std::move(claim), {{"", {value}, true}}, {}, std::move(why)};
}

// Half of the last digit printed.
Range rounded(double value, double digit) {
    return between(value - digit / 2, value + digit / 2);
}

Results run(Context &) {
    const char *special = "Corbalan's thesis, s. 6.3.3";
    const char *realistic = "Corbalan's thesis, s. 6.5.1";
    const char *as_printed = "as many digits as printed";
    std::vector<Finding> findings;
    findings.push_back(exactly({"efficiency 1.1 on 4 processors gives 16.5 on 32", special,
                                "extrapolated efficiency", rounded(16.5, 0.1), as_printed},
                               extrapolated(4, 1.1, 32)));
    findings.push_back(exactly(
        {"efficiency 1.0 on 4 processors gives no number", special,
         "processors from 1 to 64 on which the extrapolated efficiency is a number", between(0, 0),
         ""},
        [] {
            int numbers = 0;
            for (int on = 1; on <= 64; on++) {
                numbers += std::isfinite(extrapolated(4, 1.0, on));
            }
            return numbers;
        }()));
    findings.push_back(exactly({"what one processor measures gives 0 everywhere", special,
                                "highest extrapolated efficiency on 2 to 64 processors",
                                between(0, 0), "of any measured efficiency but 1; we tried 0.9"},
                               [] {
                                   double highest = 0;
                                   for (int on = 2; on <= 64; on++) {
                                       highest = std::max(highest, extrapolated(1, 0.9, on));
                                   }
                                   return highest;
                               }()));
    findings.push_back(exactly({"efficiency 0.8 on 2 processors gives 0.57 on 4", realistic,
                                "extrapolated efficiency", rounded(0.57, 0.01), as_printed},
                               extrapolated(2, 0.8, 4)));
    findings.push_back(exactly({"efficiency 0.9 on 2 processors gives 0.76 on 32", realistic,
                                "extrapolated efficiency", rounded(0.76, 0.01), as_printed},
                               extrapolated(2, 0.9, 32),
                               "Efficiency 0.99 on 2 processors gives " +
                                   number(extrapolated(2, 0.99, 32)) +
                                   " on 32: a digit is lost in the thesis."));
    return {std::move(findings), {}, {}};
}

} // namespace

Experiment corbalan6_extrapolation() {
    return {"corbalan-6-extrapolation",
            "Corbalan's thesis, s. 6.3.3 and 6.5.1, figure 6.6",
            "The worked numbers of Dowdy's formula for the efficiency.",
            {},
            run};
}

} // namespace vmall::sim::reproduce
