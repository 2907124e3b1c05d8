// SPDX-License-Identifier: GPL-2.0-or-later
//
// A new experiment is one line here and one in experiments.hpp.
#include "experiments/reproduce/registry.hpp"

#include "experiments/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

std::vector<Experiment> all_experiments() {
    return {
        own_policy(),
        pyss_kth(),
        utrera5(),
        utrera6_high(),
        utrera6_low(),
        ics05(),
        fjt_paper(),
        fjt_paper_bursts(), //
        corbalan6_extrapolation(),
        corbalan6_workload_1(),
        corbalan6_workload_2(),
        corbalan6_workload_3(),
        corbalan6_workload_4(),
        corbalan6_workload_5(),
        corbalan6_makespans(), //
        mccann3_example(),
        mccann5_efficiency(),
        mccann5_fairness(), //
        mccann5_birth_death(),
        mccann5_unlimited(),
        mccann5_limited(), //
        mccann6_buddy(),
        mccann6_equi_epoch(), //
    };
}

} // namespace vmall::sim::reproduce
