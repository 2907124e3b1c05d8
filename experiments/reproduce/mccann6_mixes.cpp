// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random mixes, and all there are.
#include "experiments/reproduce/mccann6_mixes.hpp"

#include "experiments/buddy/optimum.hpp"
#include "sim/trace/random.hpp"

#include <algorithm>

namespace vmall::sim::reproduce {

namespace {

int from_one_to(int highest, Random &random) {
    return 1 + static_cast<int>(random.uniform() * highest);
}

// All powers are as likely, and between two of them all numbers.
int even_in_powers(int processors, Random &random) {
    const auto powers = powers_of_two(processors);
    const int power = powers[from_one_to(static_cast<int>(powers.size()), random) - 1];
    return power / 2 + from_one_to((power + 1) / 2, random);
}

} // namespace

std::vector<int> powers_of_two(int highest) {
    std::vector<int> powers;
    for (int power = 1; power <= highest; power *= 2)
        powers.push_back(power);
    return powers;
}

std::string to_text(const MixSize &size) {
    return std::to_string(size.processors) + " processors, " + std::to_string(size.jobs) + " jobs";
}

std::vector<Mix> random_mixes(const MixSize &size, Minima minima, int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Mix> mixes(count, Mix(size.jobs));
    for (auto &mix : mixes) {
        for (int &minimum : mix) {
            minimum = minima == Minima::even_in_powers ? even_in_powers(size.processors, random)
                                                       : from_one_to(size.processors, random);
        }
    }
    return mixes;
}

std::vector<Mix> all_power_mixes(const MixSize &size) {
    return policy::buddy::all_mixes(powers_of_two(size.processors), size.jobs);
}

double highest(const std::vector<Mix> &mixes, const std::function<double(const Mix &)> &measure) {
    double found = measure(mixes.front());
    for (const Mix &mix : mixes)
        found = std::max(found, measure(mix));
    return found;
}

double mean(const std::vector<Mix> &mixes, const std::function<double(const Mix &)> &measure) {
    double sum = 0;
    for (const Mix &mix : mixes)
        sum += measure(mix);
    return sum / static_cast<double>(mixes.size());
}

Measurement exactly(std::string where, double value) {
    return {std::move(where), {value}, true};
}

} // namespace vmall::sim::reproduce
