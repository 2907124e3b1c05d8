// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long one step of an application takes on a rectangle.
#include "experiments/mesh/sim/step_times.hpp"

#include "sim/trace/random.hpp"

#include <algorithm>

namespace vmall::sim::mesh {

using namespace policy::mesh;

StepTimes::StepTimes(const Mesh &mesh, const Environment &environment, double spread,
                     std::uint64_t seed, int samples)
    : mesh_(mesh), environment_(environment), spread_(spread), seed_(seed), samples_(samples) {}

// Communication and context switches are those of the processor with most threads on all.
double StepTimes::mean_of_longest(int rows, int columns, Mapping mapping) const {
    Random random(seed_);
    const auto threads = threads_by_processor(mesh_, rows, columns, mapping);
    const double shortest = environment_.compute - spread_;
    double sum = 0;
    for (int sample = 0; sample < samples_; sample++) {
        double longest = 0;
        for (const int count : threads) {
            double computing = count * shortest;
            for (int thread = 0; thread < count; thread++)
                computing += 2 * spread_ * random.uniform();
            longest = std::max(longest, computing);
        }
        sum += longest;
    }
    return sum / samples_ + step_overhead(mesh_, rows, columns, mapping, environment_);
}

double StepTimes::operator()(int rows, int columns, Mapping mapping) {
    const auto key = std::make_tuple(rows, columns, mapping);
    const auto found = known_.find(key);
    if (found != known_.end())
        return found->second;
    const double time = spread_ > 0 ? mean_of_longest(rows, columns, mapping)
                                    : step_time(mesh_, rows, columns, mapping, environment_);
    return known_[key] = time;
}

} // namespace vmall::sim::mesh
