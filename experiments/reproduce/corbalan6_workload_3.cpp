// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.3: workload 3, scalable applications and such that are not.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.3, figure 6.18";
constexpr const char *source_use = "Corbalan's thesis, s. 6.5.3, figure 6.19";
constexpr const char *source_table = "Corbalan's thesis, table 6.3";

std::vector<Study::Said> about_times() {
    return {
        {"bt responds 997 % sooner under Equip++", "mean response of bt, Equipartition / Equip++",
         within_factor_two(9.97), factor_two, ratio("bt", response, equipartition, equip)},
        {"apsi responds 616 % sooner under Equip++",
         "mean response of apsi, Equipartition / Equip++", within_factor_two(6.16), factor_two,
         ratio("apsi", response, equipartition, equip)},
        {"bt executes 15 % longer under Equip++", "mean execution of bt, Equip++ / Equipartition",
         half_to_twice_of_gain(1.15), of_gain_words, ratio("bt", execution, equip, equipartition)},
        {"apsi executes 2 % longer under Equip++",
         "mean execution of apsi, Equip++ / Equipartition", between(1.0, 1.1),
         "\"around 2 %\": up to 10 %", ratio("apsi", execution, equip, equipartition)},
        {"bt responds 693 % sooner under Equal_eff++",
         "mean response of bt, Equal_efficiency / Equal_eff++", within_factor_two(6.93), factor_two,
         ratio("bt", response, equal_efficiency, equal_eff)},
        {"bt executes 21 % faster under Equal_eff++, with fewer processors",
         "mean execution of bt, Equal_efficiency / Equal_eff++", half_to_twice_of_gain(1.21),
         of_gain_words, ratio("bt", execution, equal_efficiency, equal_eff)},
        {"Equal_eff++ gives bt 11 processors", "mean processors of bt", within_quarter(11), quarter,
         of("bt", allotment, equal_eff)}};
}

std::vector<Study::Said> about_use_of_the_machine() {
    return {{"Equipartition uses 23 % of the machine", "utilisation", within_quarter(0.23), quarter,
             of(&Numbers::utilisation, equipartition)},
            {"Equip++ uses 77 % of the machine", "utilisation", within_quarter(0.77), quarter,
             of(&Numbers::utilisation, equip)},
            {"the workload takes 1800 s under Equipartition and 596 s under Equip++",
             "execution of the workload, Equipartition / Equip++", within_quarter(1800.0 / 596),
             quarter, ratio(&Numbers::makespan, equipartition, equip)},
            {"Equipartition gives bt 30 processors", "mean processors of bt", within_quarter(30),
             quarter, of("bt", allotment, equipartition)},
            {"Equip++ gives bt 22 processors", "mean processors of bt", within_quarter(22), quarter,
             of("bt", allotment, equip)},
            {"bt needs 2480 processor seconds under Equipartition and 1786 under Equip++",
             "processor time of a bt, Equipartition / Equip++",
             half_to_twice_of_gain(2480.0 / 1786), of_gain_words,
             ratio("bt", &Application::cpu, equipartition, equip)},
            {"Equal_eff++ runs up to 37 jobs at a time", "most jobs at a time", within_quarter(37),
             quarter, of(&Numbers::level, equal_eff)}};
}

std::vector<Study::Said> about_table_6_3() {
    return {{"bt responds in 949 s under Equipartition, 83 s under Equip++ (1143 %)",
             "mean response of bt, Equipartition / Equip++", within_factor_two(949.0 / 83),
             factor_two, ratio("bt", response, equipartition, equip)},
            {"bt executes in 102 s and 75 s (36 %)",
             "mean execution of bt, Equipartition / Equip++", half_to_twice_of_gain(102.0 / 75),
             of_gain_words, ratio("bt", execution, equipartition, equip)},
            {"apsi responds in 890 s and 107 s (831 %)",
             "mean response of apsi, Equipartition / Equip++", within_factor_two(890.0 / 107),
             factor_two, ratio("apsi", response, equipartition, equip)},
            {"apsi executes in 107 s and 97 s (10 %)",
             "mean execution of apsi, Equipartition / Equip++", half_to_twice_of_gain(107.0 / 97),
             of_gain_words, ratio("apsi", execution, equipartition, equip)},
            {"the workload takes 33 min 13 s and 7 min 12 s (461 %)",
             "execution of the workload, Equipartition / Equip++", within_factor_two(1993.0 / 432),
             factor_two, ratio(&Numbers::makespan, equipartition, equip), true},
            {"Equipartition gives bt about 15 processors", "mean processors of bt",
             within_quarter(15), quarter, of("bt", allotment, equipartition)},
            {"Equipartition gives apsi about 15 processors", "mean processors of apsi",
             within_quarter(15), quarter, of("apsi", allotment, equipartition)},
            {"Equip++ gives bt about 24 processors", "mean processors of bt", within_quarter(24),
             quarter, of("bt", allotment, equip)},
            {"Equip++ gives apsi about 2 processors", "mean processors of apsi", between(1.5, 2.5),
             "\"around 2\"", of("apsi", allotment, equip)},
            {"Equip++ runs up to 24 jobs at a time", "most jobs at a time", within_quarter(24),
             quarter, of(&Numbers::level, equip)}};
}

Results run(Context &context) {
    const Study study(context, mix_of(3), {60, 80, 100}, 4);
    const Study untuned(context, mix_of(3, false), {60}, 4);
    Results results{study.all_averaged(source, about_times()),
                    {study.table("Workload 3: means over the seeds"),
                     untuned.table("Workload 3, not tuned (table 6.3): means over the seeds")},
                    {study.chart("corbalan-6-workload-3", "Workload 3: bt and apsi")}};
    append(results.findings, study.all_at(100, source_use, about_use_of_the_machine()));
    append(results.findings, untuned.all_at(60, source_table, about_table_6_3()));
    return results;
}

} // namespace

Experiment corbalan6_workload_3() {
    return {"corbalan-6-workload-3", "Corbalan's thesis, s. 6.5.3, figures 6.18, 6.19, table 6.3",
            "The four policies on bt (scalable) and apsi (not scalable), whose users ask for 2 "
            "processors (tuned) or for 30.",
            assumptions_in_words(), run};
}

} // namespace vmall::sim::reproduce
