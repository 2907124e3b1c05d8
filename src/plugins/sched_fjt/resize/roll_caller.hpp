// SPDX-License-Identifier: GPL-2.0-or-later
//
// The time after a start of slurmctld until its records are known to be true of the nodes. It may
// have been killed before it saved: then a job is wider in its records than on the nodes, where
// others live on the cores that it gave away, or narrower. So nothing is started or resized before
// the nodes have registered, which ends the jobs that slurmctld does not know, and their agents
// have been asked who lives there; and no job is told of cores that somebody else still lives on.
// Where a node registers later, nothing is started before the same questions.
//
// A node keeps the others waiting for 30 seconds at most: it may hang.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vmall::sched {

class RollCaller {
  public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::chrono::seconds longest{30};

    // Goes by what `config` says at the time.
    RollCaller(Ledger &ledger, const config::Config &config, Clock::time_point started)
        : ledger_(ledger), config_(config), started_(started) {}

    // With what agents have answered since the last look. Notes in the ledger which jobs are held
    // back, and returns which agents are to be called now.
    std::vector<AgentAddress> look(const View &view, std::vector<RollReply> replies,
                                   Clock::time_point now);

    // Whether jobs may be started and resized.
    bool is_over() const { return over_; }

    // Whether it is to be looked again before long: nobody tells when a node has registered.
    bool is_waiting() const { return waiting_; }

    // Nodes where jobs may live on cores that slurmctld has as free: nobody is to be started there,
    // also once it is over. A node that is switched off may be: it has to boot before.
    std::vector<NodeNumber> unchecked(const View &view) const;

  private:
    struct Asked {
        Clock::time_point registered{}; // when that was first seen
        Clock::time_point called{};     // the last time
        bool under_way = false;
        int refused = 0; // calls in a row
        std::optional<wire::Roll> roll = {};
        bool checked = false;
    };

    void take(std::vector<RollReply> replies);
    static bool is_checked(const View &view, NodeNumber node, const Asked &asked,
                           Clock::time_point now);
    const Asked *asked_of(const View &view, NodeNumber node) const;
    bool is_held_back(const View &view, const JobView &job) const;

    Ledger &ledger_;
    const config::Config &config_;
    const Clock::time_point started_;
    std::map<std::string, Asked> nodes_; // by the node's name
    bool over_ = false;
    bool waiting_ = false;
};

} // namespace vmall::sched
