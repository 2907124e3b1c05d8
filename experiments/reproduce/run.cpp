// SPDX-License-Identifier: GPL-2.0-or-later
#include "experiments/reproduce/run.hpp"

#include "experiments/reproduce/registry.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

void refuse_unknown(const std::vector<std::string> &names, const std::vector<Experiment> &all) {
    for (const std::string &name : names) {
        const auto has_it = [&](const Experiment &experiment) { return experiment.name == name; };
        if (std::any_of(all.begin(), all.end(), has_it))
            continue;
        std::string known;
        for (const Experiment &experiment : all)
            known += " " + experiment.name;
        throw std::invalid_argument("no experiment is called " + name + "; there are:" + known);
    }
}

} // namespace

std::vector<Experiment> choose(const std::vector<std::string> &names) {
    const std::vector<Experiment> all = all_experiments();
    refuse_unknown(names, all);
    std::vector<Experiment> chosen;
    for (const Experiment &experiment : all)
        if (names.empty() || std::find(names.begin(), names.end(), experiment.name) != names.end())
            chosen.push_back(experiment);
    return chosen;
}

Run run_all(const std::vector<Experiment> &experiments, Context &context,
            const std::function<void(const std::string &name)> &announce) {
    Run run;
    for (const Experiment &experiment : experiments) {
        if (context.progress.stop) {
            run.not_run.push_back(experiment.name);
            continue;
        }
        announce(experiment.name);
        try {
            run.finished.push_back({experiment, experiment.run(context)});
        } catch (const Stopped &) {
            run.not_run.push_back(experiment.name);
        }
    }
    return run;
}

std::vector<Chart> charts_of(const std::vector<Finished> &finished) {
    std::vector<Chart> charts;
    std::set<std::string> names;
    for (const Finished &one : finished) {
        for (const Chart &chart : one.results.charts) {
            if (!names.insert(chart.name).second)
                throw std::invalid_argument("two charts are called " + chart.name);
            charts.push_back(chart);
        }
    }
    return charts;
}

} // namespace vmall::sim::reproduce
