// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.1: workload 1, superlinear and scalable applications.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.1, figure 6.12";

double swims_part(const Numbers &numbers) {
    return numbers.of.at("swim").processors / numbers.of.at("bt").processors;
}

Results run(Context &context) {
    const Study study(context, mix_of(1), {60, 80, 100}, 4);
    return {
        study.all_averaged(
            source,
            {{"Equip++ and Equipartition do alike, whose shares are efficient here: swim",
              "mean response of swim, Equip++ / Equipartition", similar(), similar_words,
              ratio("swim", response, equip, equipartition)},
             {"Equip++ and Equipartition do alike, whose shares are efficient here: bt",
              "mean response of bt, Equip++ / Equipartition", similar(), similar_words,
              ratio("bt", response, equip, equipartition)},
             {"Equip++ costs about 5 %", "execution of bt, Equip++ / Equipartition",
              between(1.0, 1.1), "\"around 5 %\": up to 10 %",
              ratio("bt", execution, equip, equipartition)},
             {"swim responds 44 % sooner under Equal_eff++",
              "mean response of swim, Equal_efficiency / Equal_eff++", half_to_twice_of_gain(1.44),
              of_gain_words, ratio("swim", response, equal_efficiency, equal_eff)},
             {"swim executes 201 % faster under Equal_eff++",
              "mean execution of swim, Equal_efficiency / Equal_eff++", within_factor_two(2.01),
              factor_two, ratio("swim", execution, equal_efficiency, equal_eff)},
             {"bt responds 22 % sooner under Equal_efficiency",
              "mean response of bt, Equal_eff++ / Equal_efficiency", half_to_twice_of_gain(1.22),
              of_gain_words, ratio("bt", response, equal_eff, equal_efficiency)},
             {"bt executes faster under Equal_efficiency",
              "mean execution of bt, Equal_eff++ / Equal_efficiency", more_than(1), "",
              ratio("bt", execution, equal_eff, equal_efficiency)},
             {"Equal_efficiency gives swim 14 processors and bt 22", "mean processors, swim / bt",
              at_most(1), "fewer to swim",
              [](const Cell &cell) { return swims_part(cell.equal_efficiency); }},
             {"Equal_eff++ gives swim 26 processors and bt 12", "mean processors, swim / bt",
              within_quarter(26.0 / 12), quarter,
              [](const Cell &cell) { return swims_part(cell.equal_eff); }}}),
        {study.table("Workload 1: means over the seeds")},
        {study.chart("corbalan-6-workload-1", "Workload 1: swim and bt")}};
}

} // namespace

Experiment corbalan6_workload_1() {
    return {"corbalan-6-workload-1", source,
            "Equipartition with Equip++, and Equal_efficiency with Equal_eff++, on swim "
            "(superlinear) and bt (scalable).",
            assumptions_in_words(), run};
}

} // namespace vmall::sim::reproduce
