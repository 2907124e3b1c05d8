// SPDX-License-Identifier: GPL-2.0-or-later
//
// The experiments, each in its own file.
#pragma once

#include "experiments/reproduce/experiment.hpp"

namespace vmall::sim::reproduce {

// Utrera, Corbalan and Labarta.
Experiment fjt_paper();
Experiment fjt_paper_bursts();
Experiment ics05();
Experiment utrera5();      // Utrera's thesis, ch. 5
Experiment utrera6_high(); // ch. 6
Experiment utrera6_low();

// Not of a paper: our own policy, against those of Utrera and her colleagues.
Experiment own_policy();

// Not of a paper: an independent simulator.
Experiment pyss_kth();

// McCann's thesis.
Experiment mccann3_example();     // s. 3.2
Experiment mccann5_efficiency();  // s. 5.2.2
Experiment mccann5_fairness();    // s. 5.2.3
Experiment mccann5_birth_death(); // s. 5.3
Experiment mccann5_unlimited();   // s. 5.4.1
Experiment mccann5_limited();     // s. 5.4.2
Experiment mccann6_buddy();       // s. 6.3, 6.4, 6.6 and 6.7
Experiment mccann6_equi_epoch();  // s. 6.5

// Corbalan's thesis, ch. 6.
Experiment corbalan6_extrapolation(); // s. 6.3.3 and 6.5.1
Experiment corbalan6_workload_1();    // s. 6.5.1
Experiment corbalan6_workload_2();    // s. 6.5.2
Experiment corbalan6_workload_3();    // s. 6.5.3, table 6.3
Experiment corbalan6_workload_4();    // s. 6.5.4, table 6.4
Experiment corbalan6_workload_5();    // s. 6.5.5
Experiment corbalan6_makespans();     // s. 6.5.6

} // namespace vmall::sim::reproduce
