// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other estimates than those that the users of a recorded workload gave.
#pragma once

#include "sim/model/job.hpp"

#include <set>
#include <string>

namespace vmall::sim {

enum class Estimates {
    of_users,  // as they are
    exact,     // the run time
    predicted, // from the user's last two jobs
    too_short, // every tenth user says a minute, whatever he sends
    none
};

// Predicted as by Tsafrir, Etsion and Feitelson (Backfilling using system-generated predictions
// rather than user runtime estimates, TPDS 2007): the mean run time of the last two jobs of the
// user's that had ended, in the log, when the job was submitted, of one if there is only one; never
// above the user's own estimate, which stands if there is none. A prediction that has passed is
// corrected to the user's estimate, in one step: that becomes the time limit, or the run time if
// that is longer, so that nobody is killed. Without an estimate of the user's nothing is known
// after the prediction.
void set_estimates(Workload &workload, Estimates estimates);

// Every tenth user, in the order in which they first send a job.
std::set<std::string> users_who_say_too_little(const Workload &workload);

} // namespace vmall::sim
