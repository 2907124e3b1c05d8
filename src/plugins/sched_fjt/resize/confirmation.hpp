// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the replies of all nodes of a job to one target come to.
#pragma once

#include "plugins/sched_fjt/account/job_target.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "wire/messages.hpp"
#include "wire/rank_report.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vmall::sched {

// What came of one message. Without an answer, `reason` says why.
struct NodeReply {
    std::string node;
    bool answered = false;
    wire::Outcome outcome = wire::Outcome::refused;
    wire::Generation generation = 0;
    std::string reason;
    std::optional<wire::RankReport> ranks = {};
    bool unattached = false; // as wire::Answer has it, as the next
    std::uint32_t hand_over_ns = 0;
};

// The replies of all nodes of a job to one generation of its target.
struct Confirmation {
    JobNumber job = 0;
    wire::Generation generation = 0;
    std::vector<NodeReply> replies;
};

// Names of nodes.
using NodeNames = std::set<std::string>;

// Whether a node has done what was asked. One where nothing of the job is registered has nothing to
// move: fine unless cores are to be given to somebody else while the job has steps there, which
// would then run on them.
bool confirms(const NodeReply &reply, wire::Generation generation, const NodeNames &with_steps);

// What became of a target: confirmed, failed or refused. `with_steps`: in a fold, where Slurm knows
// of some.
TargetEvent event_of(const Confirmation &confirmation, const NodeNames &with_steps);

// Of a node that has not confirmed, in words.
std::string why_not(const NodeReply &reply);
// And of one that has answered, as a metric has it.
const char *kind_of_refusal(const NodeReply &reply);

// No node kept silent.
bool all_answered(const Confirmation &confirmation);

// Some node had no step of the job, and noted the target for its first one.
bool is_noted(const Confirmation &confirmation);

// Every node has done what was asked.
bool is_applied(const Confirmation &confirmation);

// What the first node says that cannot move the job for that; null if there is none.
const std::string *why_unattached(const Confirmation &confirmation);

// On every node there are ranks, and libvmrt serves all of them.
bool is_served(const Confirmation &confirmation);

// On the node where it is dearest, by those that know; 0: none does.
std::uint32_t dearest_hand_over_ns(const Confirmation &confirmation);

// The sum of what they report. Nothing if no node knows of ranks.
std::optional<wire::RankReport> ranks_of(const Confirmation &confirmation);

} // namespace vmall::sched
