// SPDX-License-Identifier: GPL-2.0-or-later
//
// The experiments, each in its own file.
#pragma once

#include "sim/reproduce/experiment.hpp"

namespace vmall::sim::reproduce {

// Utrera, Corbalan and Labarta.
Experiment fjt_paper();
Experiment fjt_paper_bursts();
Experiment ics05();
Experiment utrera5();      // Utrera's thesis, ch. 5
Experiment utrera6_high(); // ch. 6
Experiment utrera6_low();

// McCann's thesis.
Experiment mccann6_buddy();      // s. 6.3, 6.4, 6.6 and 6.7
Experiment mccann6_equi_epoch(); // s. 6.5

} // namespace vmall::sim::reproduce
