// SPDX-License-Identifier: GPL-2.0-or-later
//
// Corbalan's thesis, s. 6.5.6: how long the five workloads take.
#include "experiments/reproduce/corbalan6_study.hpp"
#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace corbalan6;

constexpr const char *source = "Corbalan's thesis, s. 6.5.6, figure 6.23";
const std::vector<int> loads = {60, 80, 100};

const auto makespan = &Numbers::makespan;

// The base, and what the thesis explains workload 1 by.
std::vector<Assumption> two_assumptions() {
    const auto all = all_assumptions();
    std::vector<Assumption> two = {all.front()};
    for (const Assumption &one : all)
        if (one.one_processor == policy::OneProcessor::unknown)
            two.push_back(one);
    return two;
}

std::vector<Finding> against_equipartition(const std::vector<Study> &studies) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < studies.size(); i++) {
        const bool better = i == 2 || i == 3;
        const std::string workload = "workload " + std::to_string(i + 1);
        append(findings,
               studies[i].all_averaged(
                   source, {{workload + (better ? " takes significantly less time under Equip++"
                                                : " takes as long under Equip++"),
                             "execution of the workload, Equipartition / Equip++",
                             better ? at_least(1.2) : similar(),
                             better ? "\"significantly\": by 20 %" : similar_words,
                             ratio(makespan, equipartition, equip), better}}));
    }
    return findings;
}

Finding most_improve(const std::vector<Study> &studies) {
    std::vector<double> improved;
    for (const Study &study : studies) {
        improved.resize(study.values(loads.front(), of(makespan, equip)).size(), 0);
        std::vector<double> sums(improved.size(), 0);
        for (const int load : loads) {
            const auto ratios = study.values(load, ratio(makespan, equal_efficiency, equal_eff));
            for (std::size_t seed = 0; seed < ratios.size(); seed++)
                sums[seed] += ratios[seed] / static_cast<double>(loads.size());
        }
        for (std::size_t seed = 0; seed < sums.size(); seed++)
            improved[seed] += sums[seed] > 1;
    }
    return {{"most workloads take less time under Equal_eff++ than under Equal_efficiency", source,
             "workloads of the five that do, by the mean of the loads", at_least(3), "most: three"},
            {{"", improved}},
            {},
            ""};
}

std::vector<Study::Said> about_workload_1() {
    return {{"workload 1 takes much longer under Equal_eff++, because of one bt",
             "execution of the workload, Equal_eff++ / Equal_efficiency", at_least(1.2),
             "\"significantly\": by 20 %", ratio(makespan, equal_eff, equal_efficiency)},
            {"a bt of workload 1 has only one processor under Equal_eff++",
             "fewest processors of a bt, mean over its time", at_most(1.5), "one, at the most 1.5",
             of("bt", &Application::fewest, equal_eff)}};
}

Results run(Context &context) {
    std::vector<Study> studies;
    for (int workload = 1; workload <= 5; workload++)
        studies.emplace_back(context, mix_of(workload), loads, 4, two_assumptions());
    Results results{against_equipartition(studies), {}, {}};
    results.findings.push_back(most_improve(studies));
    append(results.findings, studies.front().all_at(100, source, about_workload_1()));
    return results;
}

} // namespace

Experiment corbalan6_makespans() {
    return {"corbalan-6-execution-times", source,
            "How long the five workloads take under the four policies.", assumptions_in_words(),
            run};
}

} // namespace vmall::sim::reproduce
