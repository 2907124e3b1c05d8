// SPDX-License-Identifier: GPL-2.0-or-later
//
// A fixed number of equal jobs under a policy.
#include "experiments/mesh/sim/static_analysis.hpp"

#include "experiments/mesh/policy/equipartition.hpp"
#include "experiments/mesh/policy/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace vmall::sim::mesh {

using namespace policy::mesh;

std::vector<Rectangle> partitions(const Choice &choice, const Mesh &mesh, int jobs) {
    const auto partitioner = make_partitioner(choice, mesh);
    for (int job = 1; job <= jobs; job++)
        partitioner->arrive({static_cast<std::uint32_t>(job)});
    std::vector<Rectangle> result;
    for (const auto &holding : partitioner->holdings())
        result.push_back(holding.rectangle);
    return result;
}

double efficiency_preservation(const Choice &choice, int jobs, StepTimes &step_times,
                               RotationOverhead overhead) {
    const Mesh &mesh = step_times.mesh();
    std::vector<double> elapsed;
    for (const auto &partition : partitions(choice, mesh, jobs))
        elapsed.push_back(step_times(partition.rows, partition.columns, choice.mapping()));
    const double interval = choice.interval_with(jobs);
    const double lost = interval > 0 ? overhead(mesh, jobs, interval, step_times.environment()) : 0;
    return policy::mesh::efficiency_preservation(step_times.alone(), elapsed, lost);
}

Fairness equipartition_fairness(const Mesh &mesh, int jobs, Mapping mapping) {
    int most = 0;
    int fewest = mesh.processors();
    for (const auto &partition : equipartition(mesh, jobs)) {
        const int threads = most_threads(mesh, partition.rows, partition.columns, mapping);
        most = std::max(most, threads);
        fewest = std::min(fewest, threads);
    }
    return {static_cast<double>(most) / jobs, static_cast<double>(fewest) / jobs};
}

Fairness folding_fairness(int jobs, double interval) {
    const int on_large = 1 << floor_log2(jobs);
    const int on_small = is_power_of_two(jobs) ? on_large : 2 * on_large;
    const double cycle = cycle_length(jobs) * interval; // over the time that the job takes alone
    const bool cycles = cycle > 0 && std::isfinite(cycle);
    const double in_cycles = cycles ? std::floor(jobs / cycle) * cycle / jobs : 0; // of its work
    const auto over_life = [&](int threads) {
        return in_cycles + (1 - in_cycles) * threads / jobs;
    };
    return {over_life(on_small), over_life(on_large)};
}

} // namespace vmall::sim::mesh
