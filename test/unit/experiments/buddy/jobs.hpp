// SPDX-License-Identifier: GPL-2.0-or-later
//
// Job mixes to schedule, and what every schedule must be.
#pragma once

#include "experiments/buddy/schedule.hpp"

#include <random>
#include <string>
#include <vector>

namespace jobs {

using Minima = std::vector<int>;

// Rectangles by job, "8x2@0,6" for 8 processors and 2 slots from processor 0 and slot 6 on.
std::string to_text(const vmall::policy::buddy::Schedule &schedule);

// Why this is no schedule for these jobs: a job with too few processors or another share than the
// rest, two jobs in one place, an idle processor. Empty if it is one.
std::string fault(const vmall::policy::buddy::Schedule &schedule, const Minima &minima);

// 1, 2, 4 … up to `highest`.
std::vector<int> powers_of_two(int highest);
std::vector<int> divisors(int number);

// Each minimum from 1 to `processors`; small ones as likely as large ones.
Minima random_mix(std::mt19937_64 &random, int processors, int count);

} // namespace jobs
