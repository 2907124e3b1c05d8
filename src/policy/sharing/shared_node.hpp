// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node as the machine of Corbalan's thesis ch. 6: processors that applications share.
//
// A job shares if it can change its number of cores: the thesis' malleable ones, and virtually
// malleable ones, which then fold. It has to be on one node, and not to take whole nodes. Others
// keep what they have, and the rest is shared.
#pragma once

#include "policy/pass.hpp"
#include "policy/sharing/application.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vmall::policy::sharing {

struct SharedNode {
    NodeIndex node;
    int processors = 0; // free, or held by members
    int free = 0;
    std::int64_t free_memory = std::numeric_limits<std::int64_t>::max(); // MiB; not counted: most
    bool in_flux = false; // a resize on it is not confirmed yet
    // Running jobs that share, as indices in Pass::running, in order of arrival; and jobs that are
    // to join them.
    std::vector<std::size_t> members;
    std::vector<const WaitingJob *> newcomers;
    Applications applications; // the members', then the newcomers'
    Allotments now;            // what they have, newcomers nothing
};

// Every node with cores, in their order, without newcomers.
std::vector<SharedNode> shared_nodes_of(const Pass &pass);

bool can_share(const WaitingJob &job);

std::int64_t memory_needed(const WaitingJob &job); // MiB

// What a waiting job would be; with its largest size.
Application as_application(const WaitingJob &job, const Settings &settings);

void add_newcomer(SharedNode &machine, const WaitingJob &job, const Settings &settings);

// The most cores up to `share` that are of use to a job with so many cores unfolded: those for
// whole processes to a malleable one, otherwise as many as some MPL needs.
int useful_cores(bool malleable, int cores_per_process, int unfolded, int share);

} // namespace vmall::policy::sharing
