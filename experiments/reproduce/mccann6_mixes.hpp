// SPDX-License-Identifier: GPL-2.0-or-later
//
// Job mixes for the experiments of McCann's thesis, ch. 6: the fewest processors that each job
// needs.
#pragma once

#include "experiments/reproduce/experiment.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

using Mix = std::vector<int>;

struct MixSize {
    int processors = 0;
    int jobs = 0;
};

std::vector<int> powers_of_two(int highest); // 1, 2, 4 … up to `highest`

std::string to_text(const MixSize &size); // "64 processors, 16 jobs"

// What the thesis leaves open.
enum class Minima {
    even_in_powers, // half as many as the machine has is as likely as a quarter, an eighth …
    even_in_numbers // every number from 1 on is as likely
};

std::vector<Mix> random_mixes(const MixSize &size, Minima minima, int count, std::uint64_t seed);

// All mixes in which every minimum is a power of two.
std::vector<Mix> all_power_mixes(const MixSize &size);

// The highest measure of the mixes.
double highest(const std::vector<Mix> &mixes, const std::function<double(const Mix &)> &measure);
double mean(const std::vector<Mix> &mixes, const std::function<double(const Mix &)> &measure);

Measurement exactly(std::string where, double value);

} // namespace vmall::sim::reproduce
