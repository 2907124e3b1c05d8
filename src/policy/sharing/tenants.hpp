// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs to which Slurm gave the same cores of a node (OverSubscribe=FORCE): which of them each is to
// use. No job is dealt a core that Slurm did not give it.
#pragma once

#include "policy/sharing/application.hpp"

#include <functional>
#include <vector>

namespace vmall::policy::sharing {

using Cores = std::vector<int>; // a node's, ascending

struct Tenant {
    Cores given;       // by Slurm, not empty
    Cores now;         // what it uses
    bool moves = true; // else it uses `now`, whatever comes
    int cores_per_process = 1;
    std::vector<MeasuredSpeedup> measured = {};
    int agreed_mpl = 0; // it is to have what this needs, neither more nor less; 0: its share
};

// How many processors each is to have: one of the policies that share (application.hpp).
using Shares = std::function<Allotments(int processors, const Applications &applications)>;

// What each is to use, in order of arrival.
// - Those that move get sets of their own, as large as `shares` says. Several use one core only
//   where there are fewer cores than all of them need at `max_mpl` processes per core.
// - They leave the cores of those that do not move, unless they would have less than their share
//   then: of each core that is missing they get two of these, as half of each is the other's.
// - They keep what they use, as far as it goes: dealt again and again, it comes to rest.
std::vector<Cores> deal_cores(const std::vector<Tenant> &tenants, int max_mpl,
                              const Shares &shares);

// As `shares`, and what nobody is to have is dealt in turns to those that have less than they
// request: on their own node it would stay idle otherwise.
Shares without_rest(Shares shares);

// Processes of the tenant that share a place on so many cores; at least 1.
int mpl_on(const Tenant &tenant, int cores);

} // namespace vmall::policy::sharing
