// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.4: workload 4, applications of every kind.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.4, figure 6.20";
constexpr const char *source_table = "Corbalan's thesis, table 6.4";

struct Row {
    const char *application;
    double ratio;
    const char *in_words;
};

std::vector<Study::Said> responses(const std::vector<Row> &rows) {
    std::vector<Study::Said> said;
    for (const auto &[name, gain, in_words] : rows) {
        const std::string application = name;
        said.push_back({application + " responds sooner under Equip++: " + in_words,
                        "mean response of " + application + ", Equipartition / Equip++",
                        within_factor_two(gain), factor_two,
                        ratio(application, response, equipartition, equip)});
    }
    return said;
}

std::vector<Study::Said> about_times() {
    auto said = responses({{"swim", 25, "2500 %"},
                           {"bt", 6, "600 %"},
                           {"hydro2d", 8, "800 %"},
                           {"apsi", 4, "400 %"}});
    for (const std::string application : {"swim", "hydro2d"}) {
        said.push_back({application + " executes 20 % longer under Equip++",
                        "mean execution of " + application + ", Equip++ / Equipartition",
                        half_to_twice_of_gain(1.2), of_gain_words,
                        ratio(application, execution, equip, equipartition)});
        said.push_back({application + " executes slightly longer under Equal_eff++",
                        "mean execution of " + application + ", Equal_eff++ / Equal_efficiency",
                        between(1.0, 1.25), "\"slightly\": up to a quarter",
                        ratio(application, execution, equal_eff, equal_efficiency)});
    }
    for (const std::string application : {"bt", "apsi"}) {
        said.push_back({application + " executes alike under Equal_efficiency and Equal_eff++",
                        "mean execution of " + application + ", Equal_eff++ / Equal_efficiency",
                        similar(), similar_words,
                        ratio(application, execution, equal_eff, equal_efficiency)});
    }
    for (const std::string application : {"swim", "bt", "hydro2d", "apsi"}) {
        said.push_back({application + " responds significantly sooner under Equal_eff++",
                        "mean response of " + application + ", Equal_efficiency / Equal_eff++",
                        at_least(1.2), "\"significantly\": by 20 %",
                        ratio(application, response, equal_efficiency, equal_eff)});
    }
    return said;
}

std::vector<Study::Said> allotments(double bt) {
    return {{"Equip++ gives swim 18 processors", "mean processors of swim", within_quarter(18),
             quarter, of("swim", allotment, equip)},
            {"Equip++ gives bt as many processors as are efficient", "mean processors of bt",
             within_quarter(bt), "23 and 24 (not tuned); within a quarter",
             of("bt", allotment, equip)},
            {"Equip++ gives hydro2d 12 processors", "mean processors of hydro2d",
             within_quarter(12), quarter, of("hydro2d", allotment, equip)},
            {"Equip++ gives apsi 1 processor", "mean processors of apsi", within_quarter(1),
             quarter, of("apsi", allotment, equip)},
            {"Equip++ runs up to 12 jobs at a time", "most jobs at a time", within_quarter(12),
             quarter, of(&Numbers::level, equip)}};
}

std::vector<Study::Said> about_table_6_4() {
    auto said = responses({{"swim", 368.0 / 13, "368 s and 13 s"},
                           {"bt", 568.0 / 92, "568 s and 92 s"},
                           {"hydro2d", 453.0 / 57, "453 s and 57 s"},
                           {"apsi", 773.0 / 116, "773 s and 116 s"}});
    said.push_back({"swim executes alike, in 6 s",
                    "mean execution of swim, Equip++ / Equipartition", similar(), similar_words,
                    ratio("swim", execution, equip, equipartition)});
    said.push_back({"bt executes 24 % faster under Equip++",
                    "mean execution of bt, Equipartition / Equip++", half_to_twice_of_gain(1.24),
                    of_gain_words, ratio("bt", execution, equipartition, equip)});
    said.push_back({"hydro2d executes 18 % longer under Equip++",
                    "mean execution of hydro2d, Equip++ / Equipartition",
                    half_to_twice_of_gain(38.0 / 32), of_gain_words,
                    ratio("hydro2d", execution, equip, equipartition)});
    said.push_back({"apsi executes 7 % faster under Equip++",
                    "mean execution of apsi, Equipartition / Equip++", half_to_twice_of_gain(1.07),
                    of_gain_words, ratio("apsi", execution, equipartition, equip)});
    said.push_back({"the workload takes 20 min 6 s under Equipartition, 7 min 6 s under Equip++",
                    "execution of the workload, Equipartition / Equip++",
                    within_factor_two(1206.0 / 426), factor_two,
                    ratio(&Numbers::makespan, equipartition, equip), true});
    return said;
}

Finding lost_digit() {
    return {{"apsi responds 66 % sooner under Equip++, not tuned", source_table,
             "the table's own times, 773 s / 116 s", between(1.655, 1.665),
             "a ratio of 1.66; 6.66 would be 666 %"},
            {{"", {773.0 / 116}, true}},
            {},
            "A digit of the table is lost: the other rows of this column are ratios."};
}

Finding takes_as_long_untuned(const Study &tuned, const Study &untuned) {
    const auto measure = of(&Numbers::makespan, equip);
    return {{"under Equip++ the workload takes as long, whatever the users ask for: 7 min 6 s or 6 "
             "min 49 s",
             "Corbalan's thesis, s. 6.5.4, table 6.4",
             "execution of the workload, not tuned / tuned", similar(), similar_words},
            {paired("load 60 %", untuned.values(60, measure), tuned.values(60, measure))},
            {},
            ""};
}

Finding tuning_does_not_matter(const Study &tuned, const Study &untuned) {
    Finding finding{{"under Equip++ it does not matter what the users ask for", source_table,
                     "mean response under Equip++, not tuned / tuned", similar(), similar_words},
                    {},
                    {},
                    ""};
    for (const std::string application : {"swim", "bt", "hydro2d", "apsi"}) {
        const auto measure = of(application, response, equip);
        finding.measurements.push_back(
            paired(application, untuned.values(60, measure), tuned.values(60, measure)));
    }
    return finding;
}

Results run(Context &context) {
    const Study study(context, mix_of(4), {60, 80, 100}, 4);
    const Study untuned(context, mix_of(4, false), {60}, 4);
    Results results{study.all_averaged(source, about_times()),
                    {study.table("Workload 4: means over the seeds"),
                     untuned.table("Workload 4, not tuned (table 6.4): means over the seeds")},
                    {study.chart("corbalan-6-workload-4", "Workload 4: all applications")}};
    append(results.findings, study.all_at(60, source, allotments(23)));
    append(results.findings, untuned.all_at(60, source_table, about_table_6_4()));
    append(results.findings, untuned.all_at(60, source_table, allotments(24)));
    results.findings.push_back(lost_digit());
    results.findings.push_back(takes_as_long_untuned(study, untuned));
    results.findings.push_back(tuning_does_not_matter(study, untuned));
    return results;
}

} // namespace

Experiment corbalan6_workload_4() {
    return {"corbalan-6-workload-4", "Corbalan's thesis, s. 6.5.4, figure 6.20, table 6.4",
            "The four policies on swim, bt, hydro2d and apsi, whose users ask for 2 processors "
            "for apsi (tuned) or for 30.",
            assumptions_in_words(), run};
}

} // namespace vmall::sim::reproduce
