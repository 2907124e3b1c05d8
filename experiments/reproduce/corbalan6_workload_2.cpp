// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.2: workload 2, scalable applications and such of medium scalability.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.2, figure 6.13";
constexpr const char *source_low = "Corbalan's thesis, s. 6.5.2, figures 6.14 to 6.17";
const std::vector<int> loads = {60, 80, 100};

std::vector<Study::Said> about_equip() {
    return {
        {"bt responds 4 % sooner under Equip++", "mean response of bt, Equipartition / Equip++",
         half_to_twice_of_gain(1.04), of_gain_words, ratio("bt", response, equipartition, equip)},
        {"bt executes 14 % faster under Equip++", "mean execution of bt, Equipartition / Equip++",
         half_to_twice_of_gain(1.14), of_gain_words, ratio("bt", execution, equipartition, equip)},
        {"hydro2d responds 9 % later under Equip++",
         "mean response of hydro2d, Equip++ / Equipartition", half_to_twice_of_gain(1.09),
         of_gain_words, ratio("hydro2d", response, equip, equipartition)},
        {"hydro2d executes 25 % longer under Equip++",
         "mean execution of hydro2d, Equip++ / Equipartition", half_to_twice_of_gain(1.25),
         of_gain_words, ratio("hydro2d", execution, equip, equipartition)},
        {"Equip++ gives bt more processors than hydro2d", "mean processors, bt / hydro2d",
         at_least(1.1), "more: by 10 %",
         [](const Cell &cell) {
             return cell.equip.of.at("bt").processors / cell.equip.of.at("hydro2d").processors;
         }}};
}

std::vector<Study::Said> about_equal_eff() {
    return {{"bt responds 12 % sooner under Equal_eff++",
             "mean response of bt, Equal_efficiency / Equal_eff++", half_to_twice_of_gain(1.12),
             of_gain_words, ratio("bt", response, equal_efficiency, equal_eff)},
            {"hydro2d responds 24 % sooner under Equal_eff++",
             "mean response of hydro2d, Equal_efficiency / Equal_eff++",
             half_to_twice_of_gain(1.24), of_gain_words,
             ratio("hydro2d", response, equal_efficiency, equal_eff)},
            {"bt executes alike under Equal_efficiency and Equal_eff++",
             "mean execution of bt, Equal_eff++ / Equal_efficiency", similar(), similar_words,
             ratio("bt", execution, equal_eff, equal_efficiency)},
            {"hydro2d executes alike under Equal_efficiency and Equal_eff++",
             "mean execution of hydro2d, Equal_eff++ / Equal_efficiency", similar(), similar_words,
             ratio("hydro2d", execution, equal_eff, equal_efficiency)},
            {"Equal_efficiency gives bt 30 processors", "mean processors of bt", within_quarter(30),
             quarter, of("bt", allotment, equal_efficiency)},
            {"Equal_efficiency gives hydro2d 10 processors", "mean processors of hydro2d",
             within_quarter(10), quarter, of("hydro2d", allotment, equal_efficiency)},
            {"Equal_eff++ gives bt 12 processors", "mean processors of bt", within_quarter(12),
             quarter, of("bt", allotment, equal_eff)},
            {"Equal_eff++ gives hydro2d 8 processors", "mean processors of hydro2d",
             within_quarter(8), quarter, of("hydro2d", allotment, equal_eff)},
            {"the multiprogramming level rises higher under Equal_eff++ than under Equip++",
             "most jobs at a time, Equal_eff++ / Equip++", at_least(1.01), "at all",
             ratio(&Numbers::level, equal_eff, equip)}};
}

std::vector<Study::Said> about_a_low_level() {
    return {{"with two jobs at a time, Equip++ halves the response of bt",
             "mean response of bt, Equip++ / Equipartition", within_quarter(0.5), quarter,
             ratio("bt", response, equip, equipartition)},
            {"with two jobs at a time, Equip++ halves the response of hydro2d",
             "mean response of hydro2d, Equip++ / Equipartition", within_quarter(0.5), quarter,
             ratio("hydro2d", response, equip, equipartition)},
            {"with two jobs at a time, Equip++ uses half the processor time",
             "processor time of all jobs, Equip++ / Equipartition", within_quarter(0.5), quarter,
             ratio(&Numbers::cpu, equip, equipartition)}};
}

Finding level_does_not_matter(const Study &four, const Study &two) {
    Finding finding{{"Equip++ does not depend on the level that the administrator has set",
                     source_low, "execution of the workload under Equip++, level 2 / level 4",
                     similar(), similar_words},
                    {},
                    {},
                    ""};
    for (const int load : loads) {
        const auto makespan = of(&Numbers::makespan, equip);
        finding.measurements.push_back(paired("load " + std::to_string(load) + " %",
                                              two.values(load, makespan),
                                              four.values(load, makespan)));
    }
    return finding;
}

Results run(Context &context) {
    const Study study(context, mix_of(2), loads, 4);
    const Study low(context, mix_of(2), loads, 2);
    Results results{study.all_averaged(source, about_equip()),
                    {study.table("Workload 2, level 4: means over the seeds"),
                     low.table("Workload 2, level 2: means over the seeds")},
                    {study.chart("corbalan-6-workload-2", "Workload 2: bt and hydro2d"),
                     low.chart("corbalan-6-workload-2-level-2",
                               "Workload 2: bt and hydro2d, two jobs at a time")}};
    append(results.findings, study.all_averaged(source, about_equal_eff()));
    append(results.findings,
           study.all_at(100, source,
                        {{"Equal_eff++ runs up to 9 jobs at a time", "most jobs at a time",
                          within_quarter(9), quarter, of(&Numbers::level, equal_eff)}}));
    append(results.findings, low.all_averaged(source_low, about_a_low_level()));
    results.findings.push_back(level_does_not_matter(study, low));
    return results;
}

} // namespace

Experiment corbalan6_workload_2() {
    return {"corbalan-6-workload-2", "Corbalan's thesis, s. 6.5.2, figures 6.13 to 6.17",
            "The four policies on bt (scalable) and hydro2d (medium), with 4 and with 2 jobs at a "
            "time.",
            assumptions_in_words(), run};
}

} // namespace vmall::sim::reproduce
