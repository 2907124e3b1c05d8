// SPDX-License-Identifier: GPL-2.0-or-later
//
// How jobs find out how well they run.
#include "sim/engine/measuring.hpp"

#include "sim/engine/work.hpp"

#include <algorithm>

namespace vmall::sim {

bool measures(const Measuring &measuring, const Job &job) {
    return measuring.period > 0 &&
           (job.malleable || (job.virtually_malleable && job.useful_by_efficiency));
}

policy::MeasuredSpeedup measure(const Measuring &measuring, const Job &job, const Shape &shape,
                                const FoldingCost &cost, Random &random) {
    const Shape on_one{1, job.cores_per_process, 1};
    double speedup = work_rate(job, shape, cost) / work_rate(job, on_one, cost);
    speedup *= 1 + measuring.noise * (2 * random.uniform() - 1);
    return {shape.cores, speedup};
}

void remember(std::vector<policy::MeasuredSpeedup> &measured,
              const policy::MeasuredSpeedup &sample) {
    measured.erase(std::remove_if(measured.begin(), measured.end(),
                                  [&](const policy::MeasuredSpeedup &before) {
                                      return before.processors == sample.processors;
                                  }),
                   measured.end());
    measured.push_back(sample);
}

} // namespace vmall::sim
