// SPDX-License-Identifier: GPL-2.0-or-later
//
// A messenger without threads, connections and seals: it keeps what is sent, and brings the replies
// that a test has put in. Linked in place of the real one.
#pragma once

#include "plugins/sched_fjt/resize/messenger.hpp"

#include <vector>

struct Post {
    std::vector<std::vector<vmall::sched::NodeMessage>> targets, surveys; // round by round
    std::vector<vmall::sched::Confirmation> confirmations, reports;       // to be taken
};

extern Post post;
