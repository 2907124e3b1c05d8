// SPDX-License-Identifier: GPL-2.0-or-later
//
// The two classes of jobs of McCann's simulations.
#include "experiments/mesh/sim/mixed_workload.hpp"

#include "sim/trace/random.hpp"

#include <cmath>

namespace vmall::sim::mesh {

namespace {

// Rounding an exponential variate up makes it geometric. With a mean of m - 1/2 before, that of the
// result is m, to within 1 / (12 m).
double geometric(double mean, Random &random) {
    return std::ceil((mean - 0.5) * random.exponential());
}

Milliseconds to_milliseconds(double seconds) {
    return static_cast<Milliseconds>(std::ceil(1000 * seconds));
}

} // namespace

Workload mixed_workload(const Mix &mix, int processors, std::uint64_t seed) {
    Random random(seed);
    const double mean = mix.short_share * mix.mean_short + (1 - mix.short_share) * mix.mean_long;
    Workload workload;
    workload.source = "two classes, McCann s. 5.4";
    workload.processors = processors;
    double arrival = 0;
    for (int i = 0; i < mix.jobs; i++) {
        arrival += random.exponential() * mean / mix.load;
        Job job;
        job.id = static_cast<std::uint32_t>(i) + 1;
        job.submit = to_milliseconds(arrival);
        const bool is_short = random.uniform() < mix.short_share;
        job.job_class = is_short ? policy::JobClass::short_job : policy::JobClass::long_job;
        job.virtually_malleable = true;
        job.sizes = {processors};
        job.runtime_processes = processors;
        const double steps =
            geometric((is_short ? mix.mean_short : mix.mean_long) / mix.step, random);
        job.runtime = to_milliseconds(steps * mix.step);
        workload.jobs.push_back(job);
    }
    return workload;
}

} // namespace vmall::sim::mesh
