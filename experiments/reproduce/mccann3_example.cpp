// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 3.2: static partitions against dynamic ones, by efficiency preservation.
#include "experiments/mesh/policy/efficiency.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/text.hpp"
#include "sim/model/speedup.hpp"

#include <algorithm>

namespace vmall::sim::reproduce {

namespace {

constexpr int processors = 64;
constexpr int most_jobs = 16;

// Eq. 3.3: with the same work on any number of processors, a job takes 1 / speed-up.
double preserved(const Speedup &speedup, const std::vector<double> &allocations) {
    std::vector<double> elapsed;
    for (const double allocation : allocations)
        elapsed.push_back(1 / speedup.at(allocation));
    return policy::mesh::efficiency_preservation(1 / speedup.at(processors), elapsed, 0);
}

// Jobs beyond the number of partitions share them in time, at no cost.
double in_static_partitions(const Speedup &speedup, int partitions, int jobs) {
    return preserved(speedup, std::vector<double>(std::min(jobs, partitions),
                                                  static_cast<double>(processors) / partitions));
}

double dynamic(const Speedup &speedup, int jobs) {
    std::vector<double> allocations(jobs, processors / jobs);
    for (int i = 0; i < processors % jobs; i++)
        allocations[i]++;
    return preserved(speedup, allocations);
}

using Measure = std::function<std::vector<Measurement>(const Speedup &)>;

struct Curve {
    const char *name;
    SpeedupPointer speedup;
};

const Curve &assumed() {
    static const Curve curve{"Downey, average parallelism 48, sigma 1", downey_speedup(48, 1)};
    return curve;
}

const std::vector<Curve> &others() {
    static const std::vector<Curve> curves = {
        {"speed-up levels off very early (Amdahl's law, 20 % serial)", amdahl_speedup(0.2)},
        {"speed-up levels off early (Downey, average parallelism 16, sigma 0.5)",
         downey_speedup(16, 0.5)},
        {"speed-up is nearly linear (Amdahl's law, 0.1 % serial)", amdahl_speedup(0.001)},
    };
    return curves;
}

Finding finding(const Claim &claim, const Measure &measure, const std::string &why = "") {
    Finding result{claim, measure(*assumed().speedup), {}, why};
    for (const Curve &curve : others())
        result.alternatives.push_back({curve.name, measure(*curve.speedup)});
    return result;
}

Finding idle_partitions() {
    return finding(
        {"fewer jobs than partitions lose a static policy much of the processors' efficiency",
         "McCann's thesis, s. 3.2, figure 3.2",
         "efficiency preservation, static / dynamic, half of the partitions idle", at_most(0.75),
         "'drastic': a quarter or more"},
        [](const Speedup &speedup) {
            std::vector<Measurement> measurements;
            for (const int partitions : {4, 8}) {
                const int jobs = partitions / 2;
                measurements.push_back(without_chance(
                    std::to_string(partitions) + " partitions",
                    in_static_partitions(speedup, partitions, jobs) / dynamic(speedup, jobs)));
            }
            return measurements;
        });
}

Finding dynamic_at_high_load() {
    return finding(
        {"with more jobs than partitions, dynamic allocation preserves more efficiency",
         "McCann's thesis, s. 3.2, figure 3.2",
         "efficiency preservation, dynamic / static, least of 9 to 16 jobs", more_than(1), ""},
        [](const Speedup &speedup) {
            std::vector<Measurement> measurements;
            for (const int partitions : {4, 8}) {
                const auto ratios = each(
                    numbers(9, most_jobs),
                    [&](int jobs) {
                        return dynamic(speedup, jobs) /
                               in_static_partitions(speedup, partitions, jobs);
                    });
                measurements.push_back(
                    without_chance(std::to_string(partitions) + " partitions", lowest(ratios)));
            }
            return measurements;
        });
}

Finding eight_over_four() {
    return finding(
        {"with more than four jobs, eight partitions preserve more efficiency than four",
         "McCann's thesis, s. 3.2, figure 3.2", "efficiency preservation, 8 / 4 partitions",
         more_than(1), ""},
        [](const Speedup &speedup) {
            std::vector<Measurement> measurements;
            for (const int jobs : {5, 6, 8, 16})
                measurements.push_back(without_chance(std::to_string(jobs) + " jobs",
                                                      in_static_partitions(speedup, 8, jobs) /
                                                          in_static_partitions(speedup, 4, jobs)));
            return measurements;
        },
        "Five jobs leave three of eight partitions idle; that pays only if a quarter of the "
        "machine "
        "is less than " +
            number(5 / 4.0) + " times as fast as an eighth. Here it is " +
            number(assumed().speedup->at(processors / 4) / assumed().speedup->at(processors / 8)) +
            " times as fast.");
}

Chart figure_3_2() {
    const Speedup &speedup = *assumed().speedup;
    std::vector<double> x;
    for (int jobs = 1; jobs <= most_jobs; jobs++)
        x.push_back(jobs);
    return {
        "mccann-fig-3.2",
        "Efficiency preservation of static and dynamic partitions",
        {lines("", "jobs", "efficiency preservation", x,
               {"4 partitions", "8 partitions", "dynamic"}, [&](std::size_t policy, double jobs) {
                   const int count = static_cast<int>(jobs);
                   return policy == 2 ? dynamic(speedup, count)
                                      : in_static_partitions(speedup, policy == 0 ? 4 : 8, count);
               })}};
}

Results run(Context &) {
    return {{idle_partitions(), dynamic_at_high_load(), eight_over_four()}, {}, {figure_3_2()}};
}

} // namespace

Experiment mccann3_example() {
    return {
        "mccann-fig-3.2",
        "McCann's thesis, s. 3.2, figure 3.2",
        "Four and eight static partitions with a hypothetical dynamic policy, by the efficiency "
        "that they preserve.",
        {"The application's speed-up curve (figure 3.1) is lost; it rises and then levels off. "
         "Ours: 64 processors and the curve of " +
         std::string(assumed().name) + "."},
        run};
}

} // namespace vmall::sim::reproduce
