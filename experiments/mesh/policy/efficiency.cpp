// SPDX-License-Identifier: GPL-2.0-or-later
//
// Efficiency preservation.
#include "experiments/mesh/policy/efficiency.hpp"

#include "experiments/mesh/policy/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vmall::policy::mesh {

namespace {

// floor(log2(J) / 2): how often the narrower dimension has been halved.
int halvings(int jobs) {
    return floor_log2(jobs) / 2;
}

// Threads, each of this many KB, through as many lanes.
double transfer_time(double threads, double size, double lanes, const Environment &environment) {
    return threads * size / environment.link / lanes;
}

double halving_time(const Mesh &mesh, int jobs, double size, const Environment &environment) {
    const int narrower = std::min(mesh.log_rows(), mesh.log_columns());
    const double lanes = std::ldexp(1.0, narrower - halvings(jobs));
    return transfer_time(mesh.processors() / 2.0, size, lanes, environment);
}

} // namespace

double step_overhead(const Mesh &mesh, int rows, int columns, Mapping mapping,
                     const Environment &environment) {
    const int exchanges = divide_up(mesh.rows(), rows) + divide_up(mesh.columns(), columns);
    const int switches = most_threads(mesh, rows, columns, mapping) - 1;
    return exchanges * environment.communicate + switches * environment.context_switch;
}

double step_time(const Mesh &mesh, int rows, int columns, Mapping mapping,
                 const Environment &environment) {
    return most_threads(mesh, rows, columns, mapping) * environment.compute +
           step_overhead(mesh, rows, columns, mapping, environment);
}

double efficiency_preservation(double alone, const std::vector<double> &elapsed, double overhead) {
    const double speeds =
        std::accumulate(elapsed.begin(), elapsed.end(), 0.0,
                        [alone](double sum, double time) { return sum + alone / time; });
    return speeds * (1 - overhead);
}

double fold_time(const Mesh &mesh, int jobs, const Environment &environment) {
    return halving_time(mesh, jobs, environment.data, environment);
}

double unfold_time(const Mesh &mesh, int jobs, const Environment &environment) {
    return halving_time(mesh, jobs, environment.data + environment.code, environment);
}

double relocation_time(const Mesh &mesh, const Rectangle &from, const Rectangle &to,
                       const Environment &environment) {
    const Rectangle &larger = from.processors() > to.processors() ? from : to;
    const int common = common_processors(from, to);
    const double share = 1.0 - static_cast<double>(common) / larger.processors();
    const bool new_processors = common < to.processors();
    return transfer_time(mesh.processors() * share,
                         environment.data + (new_processors ? environment.code : 0),
                         std::min(larger.rows, larger.columns), environment);
}

double rotation_overhead(const Mesh &mesh, int jobs, double interval,
                         const Environment &environment) {
    const int wider = std::max(mesh.log_rows(), mesh.log_columns());
    const double factor = std::ldexp(1.0, wider - halvings(jobs) - 1);
    const double both = (2 * environment.data + environment.code) / environment.link;
    return std::min(1.0, rotations_per_cycle(jobs) * factor * both / interval);
}

double rotation_overhead_derived(const Mesh &mesh, int jobs, double interval,
                                 const Environment &environment) {
    const double rotations =
        rotations_per_cycle(jobs) / 2.0;                     // in one interval, of one cycle's jobs
    const double share = std::ldexp(1.0, -floor_log2(jobs)); // of the processors, in each
    const double seconds =
        fold_time(mesh, jobs, environment) + unfold_time(mesh, jobs, environment);
    return std::min(1.0, rotations * share * seconds / interval);
}

} // namespace vmall::policy::mesh
