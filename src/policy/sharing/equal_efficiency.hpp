// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equal_efficiency: processors to those who use them best, until all are equally efficient.
// Corbalan's thesis, s. 6.3.3 with figure 6.8, after Nguyen et al.
#pragma once

#include "policy/settings.hpp"
#include "policy/sharing/application.hpp"

namespace vmall::policy::sharing {

// Applications whose efficiency is unknown have their part of an equipartition among all, in which
// they can measure it. Everybody else gets `least` (one processor), then the rest is dealt out one
// by one, always to the one with the highest efficiency on one more, measured or extrapolated.
Allotments equal_efficiency(int processors, const Applications &applications, OneProcessor rule);

} // namespace vmall::policy::sharing
