// SPDX-License-Identifier: GPL-2.0-or-later
//
// What must not happen, by its own bookkeeping: that slurmctld's records give a core to a job while
// programs of another one that runs may still run on it.
#pragma once

#include "node.hpp"
#include "slurm.hpp"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace vmall::simulation {

class Oracle {
  public:
    // After slurmctld has started with records that may be old.
    void begin_anew(const Records &records) { note_holders(records); }
    // To be asked after each event. `given_up`: nodes that sched/fjt does not wait for. Until it
    // `roll_is_called`, jobs may be elsewhere than is recorded, but nobody is given their cores.
    // Throws Violation.
    void look(const Records &records, const std::vector<Node> &nodes,
              const std::set<std::string> &given_up, bool roll_is_called);
    void note_suspended(Start start) { suspended_.insert(start); }

  private:
    void note_holders(const Records &records);
    bool is_slurms_affair(const Records &records, const Process &process, const Job &job,
                          bool is_given) const;

    // The programs of one start may run on a core that another one has been given.
    using Overlap = std::tuple<NodeIndex, std::uint32_t, Start, Start>;
    std::set<Overlap> known_;
    std::set<std::tuple<NodeIndex, std::uint32_t, Start>> held_; // at the last look
    std::set<Start> suspended_; // ever: Slurm lends their cores, and may resume them too early
};

} // namespace vmall::simulation
