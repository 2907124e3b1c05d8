// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells the nodes of a job what it is to have: one target for each of them.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "wire/messages.hpp"

#include <chrono>
#include <vector>

namespace vmall::sched {

class TargetSender {
  public:
    explicit TargetSender(Messenger &messenger) : messenger_(messenger) {}

    void configure(const config::Config &config);

    // To all nodes of `cores`. The messenger has their replies together. `only_served`: as
    // wire::Target has it.
    void send(const View &view, const JobView &job, const CoreSets &cores,
              wire::Generation generation, bool only_served = false);

    // What it has, once more, for a survey.
    void survey(const View &view, const JobView &job, wire::Generation generation);

  private:
    std::vector<NodeMessage> messages(const View &view, const JobView &job, const CoreSets &cores,
                                      wire::Generation generation, bool only_served) const;

    Messenger &messenger_;
    config::AgentPort agent_port_;
    std::chrono::milliseconds agent_timeout_{};
};

} // namespace vmall::sched
