// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 5.3: mean response times from a birth-death model.
#include "experiments/mesh/sim/birth_death.hpp"
#include "experiments/mesh/sim/static_analysis.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/text.hpp"

#include <map>

namespace vmall::sim::reproduce {

namespace {

using mesh::RotationOverhead;

const char *const by_load = "McCann's thesis, s. 5.3.1, figure 5.6";
const char *const by_limit = "McCann's thesis, s. 5.3.2, figure 5.7";

// Blow-up factors of all policies under one assumption about the cost of rotations.
class Model {
  public:
    explicit Model(RotationOverhead overhead = policy::mesh::rotation_overhead)
        : overhead_(overhead) {}

    double preserved(const std::string &policy, int jobs) { return all(policy)[jobs - 1]; }

    double blow_up(const std::string &policy, double load, int limit = mccann_mesh.processors()) {
        const auto &values = all(policy);
        return mesh::mean_blow_up({values.begin(), values.begin() + limit}, load);
    }

    double ratio(const std::string &policy, const std::string &to, double load) {
        return blow_up(policy, load) / blow_up(to, load);
    }

  private:
    const std::vector<double> &all(const std::string &policy) {
        auto &values = preserved_[policy];
        if (values.empty()) {
            mesh::StepTimes step_times(mccann_mesh, policy::mesh::Environment{});
            const mesh::Choice choice = mesh::parse_choice(policy);
            values = each(numbers(1, mccann_mesh.processors()), [&](int jobs) {
                return efficiency_preservation(choice, jobs, step_times, overhead_);
            });
        }
        return values;
    }

    RotationOverhead overhead_;
    std::map<std::string, std::vector<double>> preserved_;
};

using Measure = std::function<std::vector<Measurement>(Model &)>;

struct Models {
    Model printed;
    Model derived{policy::mesh::rotation_overhead_derived};
};

Finding finding(Models &models, const Claim &claim, const Measure &measure,
                const std::string &why = "") {
    return {
        claim,
        measure(models.printed),
        {{"rotations cost what eq. 5.3 comes to, not eq. 5.4 as printed", measure(models.derived)}},
        why};
}

std::string at_load(double load) {
    return "load " + number(100 * load) + " %";
}

Finding folding_responds_sooner(Models &models) {
    return finding(
        models,
        {"responses are quicker under Folding than under Equipartition", by_load,
         "mean blow-up, Folding / EQUI+", less_than(1), ""},
        [](Model &model) {
            std::vector<Measurement> measurements;
            for (const char *policy : {"fold-200", "fold-20j", "fold-inf"})
                for (const double load : {0.3, 0.5, 0.7, 0.9})
                    measurements.push_back(without_chance(figure_name(mesh::parse_choice(policy)) +
                                                              ", " + at_load(load),
                                                          model.ratio(policy, "equi+", load)));
            return measurements;
        });
}

Finding frequent_rotations_are_good_at_moderate_load(Models &models) {
    return finding(
        models,
        {"rotating every 20 seconds does well at moderate loads", by_load,
         "mean blow-up, FOLD_20 / EQUI+", at_most(1), "'good': no worse than EQUI+"},
        [](Model &model) {
            std::vector<Measurement> measurements;
            for (const double load : {0.3, 0.5, 0.7})
                measurements.push_back(
                    without_chance(at_load(load), model.ratio("fold-20", "equi+", load)));
            return measurements;
        });
}

Finding frequent_rotations_are_bad_at_high_load(Models &models) {
    return finding(
        models,
        {"and becomes unstable at high loads", by_load, "mean blow-up, FOLD_20 / FOLD_200",
         at_least(2), "'unstable': more than twice as long as with rotations every 200 seconds"},
        [](Model &model) {
            std::vector<Measurement> measurements;
            for (const double load : {0.9, 0.95})
                measurements.push_back(
                    without_chance(at_load(load), model.ratio("fold-20", "fold-200", load)));
            return measurements;
        },
        "Up to 256 jobs run at once. With 171, FOLD_20 preserves " +
            number(models.printed.preserved("fold-20", 171)) + ".");
}

Finding intervals_times_jobs(Models &models) {
    return finding(
        models,
        {"rotating every 20 seconds for each job is about as good as every 200 seconds, "
         "and stable",
         by_load, "mean blow-up, FOLD_20J / FOLD_200", between(0.9, 1.1),
         "'very similar': within a tenth"},
        [](Model &model) {
            std::vector<Measurement> measurements;
            for (const double load : {0.1, 0.3, 0.5, 0.7, 0.9, 0.95})
                measurements.push_back(
                    without_chance(at_load(load), model.ratio("fold-20j", "fold-200", load)));
            return measurements;
        });
}

const double high_loads[] = {0.5, 0.7, 0.8, 0.9};

Finding folding_likes_high_limits(Model &model) {
    std::vector<Measurement> measurements;
    for (const double load : high_loads) {
        const auto growth = each(numbers(1, 31), [&](int limit) {
            return model.blow_up("fold-inf", load, limit + 1) /
                   model.blow_up("fold-inf", load, limit);
        });
        measurements.push_back(without_chance(at_load(load), highest(growth)));
    }
    return {{"under Folding, responses get quicker the more jobs may run at once", by_limit,
             "mean blow-up of FOLD_inf, limit L + 1 / limit L, greatest of 1 to 31", less_than(1),
             "'improves': at every step"},
            measurements,
            {},
            ""};
}

std::vector<double> by_limits(Model &model, double load) {
    return each(
        numbers(1, 32), [&](int limit) { return model.blow_up("equi+", load, limit); });
}

Finding equi_plus_has_a_minimum(Model &model) {
    std::vector<Measurement> measurements;
    for (const double load : {0.8, 0.9}) {
        const auto values = by_limits(model, load);
        measurements.push_back(
            without_chance(at_load(load), lowest(values) / model.blow_up("equi+", load)));
    }
    return {{"under Equipartition there is a best limit at high loads", by_limit,
             "mean blow-up of EQUI+, with the best limit up to 32 / without a limit",
             between(0.5, 0.999), "'some tendency', 'not extremely pronounced': up to twice"},
            measurements,
            {},
            ""};
}

Finding losses_with_more_than_four_jobs(Model &model) {
    const auto loses = each(numbers(5, 32),
                            [&](int jobs) -> double { return model.preserved("equi+", jobs) < 1; });
    return {{"Equipartition loses efficiency with most numbers of jobs above four", by_limit,
             "share of 5 to 32 jobs with which EQUI+ preserves less than 1", at_least(0.5),
             "'most': half or more"},
            {without_chance("", mean(loses))},
            {},
            ""};
}

Chart figure_5_6(Model &model) {
    const std::vector<std::string> policies = {"equi",     "equi+",    "fold-20",
                                               "fold-200", "fold-20j", "fold-inf"};
    std::vector<std::string> names;
    for (const auto &choice : mesh_policies(policies))
        names.push_back(figure_name(choice));
    const auto loads = each(
        numbers(2, 18), [](int twentieths) { return twentieths / 20.0; });
    return {"mccann-fig-5.6",
            "Mean blow-up factor by load",
            {lines("", "load", "mean blow-up factor", loads, names,
                   [&](std::size_t i, double load) { return model.blow_up(policies[i], load); })}};
}

Chart figure_5_7(Model &model) {
    Chart chart{"mccann-fig-5.7", "Mean blow-up factor by limit on jobs at a time", {}};
    const auto limits = each(numbers(1, 32), [](int limit) { return limit; });
    for (const char *policy : {"equi+", "fold-inf"}) {
        chart.panels.push_back(lines(
            figure_name(mesh::parse_choice(policy)), "limit", "mean blow-up factor", limits,
            {"load 50 %", "load 70 %", "load 80 %", "load 90 %"},
            [&](std::size_t i, double limit) {
                return model.blow_up(policy, high_loads[i], static_cast<int>(limit));
            }));
    }
    return chart;
}

Results run(Context &) {
    Models models;
    return {{folding_responds_sooner(models), frequent_rotations_are_good_at_moderate_load(models),
             frequent_rotations_are_bad_at_high_load(models), intervals_times_jobs(models),
             folding_likes_high_limits(models.printed), equi_plus_has_a_minimum(models.printed),
             losses_with_more_than_four_jobs(models.printed)},
            {},
            {figure_5_6(models.printed), figure_5_7(models.printed)}};
}

} // namespace

Experiment mccann5_birth_death() {
    return {
        "mccann-5-birth-death",
        "McCann's thesis, s. 5.3, figures 5.6 and 5.7",
        "Mean response times of equal jobs under EQUI, EQUI+ and Folding on 16 x 16 processors, "
        "by a birth-death model.",
        {"The loads of figure 5.7 are lost; the text says only that they are high.",
         "Jobs are completed at the rate EP(J) / E. The scan prints 1 / (E EP(J)), which would "
         "make inefficient policies quick."},
        run};
}

} // namespace vmall::sim::reproduce
