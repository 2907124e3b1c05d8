// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.5: workload 5, only scalable applications.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.5, figure 6.21";
constexpr const char *source_stability = "Corbalan's thesis, s. 6.5.5 and 6.6, figure 6.22";

std::vector<Study::Said> about_times() {
    return {{"bt responds 10 % sooner under Equipartition",
             "mean response of bt, Equip++ / Equipartition", half_to_twice_of_gain(1.1),
             of_gain_words, ratio("bt", response, equip, equipartition)},
            {"bt executes 10 % faster under Equipartition",
             "mean execution of bt, Equip++ / Equipartition", half_to_twice_of_gain(1.1),
             of_gain_words, ratio("bt", execution, equip, equipartition)},
            {"Equip++ gives bt as many processors as Equipartition",
             "mean processors of bt, Equip++ / Equipartition", similar(), similar_words,
             ratio("bt", allotment, equip, equipartition)},
            {"the multiprogramming level does not rise under Equip++",
             "most jobs at a time, Equip++ / Equipartition", between(1, 1.1),
             "in less than every second workload, by one",
             ratio(&Numbers::level, equip, equipartition)},
            {"bt executes 4 % faster under Equal_eff++",
             "mean execution of bt, Equal_efficiency / Equal_eff++", half_to_twice_of_gain(1.04),
             of_gain_words, ratio("bt", execution, equal_efficiency, equal_eff)},
            {"bt responds 8 % sooner under Equal_eff++",
             "mean response of bt, Equal_efficiency / Equal_eff++", half_to_twice_of_gain(1.08),
             of_gain_words, ratio("bt", response, equal_efficiency, equal_eff)},
            {"Equal_eff++ gives bt 15 processors", "mean processors of bt", within_quarter(15),
             quarter, of("bt", allotment, equal_eff)}};
}

Measure more_resizes(Policy of_this, Policy than_of_that) {
    return [=](const Cell &cell) { return (cell.*of_this).resizes - (cell.*than_of_that).resizes; };
}

std::vector<Study::Said> about_stability() {
    return {{"Equipartition is much more stable than Equal_efficiency",
             "resizes of a job, Equal_efficiency less Equipartition", at_least(2),
             "\"much more\": two more for each job", more_resizes(equal_efficiency, equipartition)},
            {"small changes of one measurement make Equal_eff++ reallocate everywhere",
             "resizes of a job, Equal_eff++ less Equip++", at_least(2),
             "two more for each job than Equip++, which goes by the same measurements",
             more_resizes(equal_eff, equip)},
            {"PDML makes Equal_efficiency more stable",
             "resizes of a job, Equal_efficiency less Equal_eff++", at_least(0.5),
             "one less for every second job", more_resizes(equal_efficiency, equal_eff)}};
}

Results run(Context &context) {
    const Study study(context, mix_of(5), {60, 80, 100}, 4);
    Results results{study.all_averaged(source, about_times()),
                    {study.table("Workload 5: means over the seeds")},
                    {study.chart("corbalan-6-workload-5", "Workload 5: bt")}};
    append(results.findings, study.all_averaged(source_stability, about_stability()));
    return results;
}

} // namespace

Experiment corbalan6_workload_5() {
    return {"corbalan-6-workload-5", "Corbalan's thesis, s. 6.5.5, figures 6.21 and 6.22",
            "The four policies on bt alone, and how often they reallocate.", assumptions_in_words(),
            run};
}

} // namespace vmall::sim::reproduce
