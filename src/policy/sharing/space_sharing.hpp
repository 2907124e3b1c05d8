// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue disciplines that share processors among running jobs: who runs is decided by the
// multiprogramming level, in order of arrival, and who has how much by what each of them adds.
// Corbalan's thesis ch. 6. They size jobs themselves: sizing and window policy are not asked.
#pragma once

#include "policy/queue/discipline.hpp"
#include "policy/sharing/shared_node.hpp"

#include <memory>

namespace vmall::policy::sharing {

// Every node is a machine that is shared on its own (sharing/shared_node.hpp). A newcomer starts on
// what is free of its share, the others are told to shrink, and when they have, everybody grows to
// what they are to have. Jobs that cannot share start in their turn where there is room; while one
// waits for that, nobody grows into what comes free.
class SpaceSharing : public Discipline {
  public:
    void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &windows) const final;
    bool grows_running_jobs() const final { return true; }

    // What everybody on a machine is to have.
    virtual Allotments shares(const SharedNode &machine, const SharingSettings &settings) const = 0;

  private:
    // Whether more than `default_level` jobs run on a node when all have measured that they use
    // what they have well, and leave some free.
    virtual bool level_rises() const { return false; }
};

std::unique_ptr<Discipline> make_equipartition();
std::unique_ptr<Discipline> make_equip_plus_plus();
std::unique_ptr<Discipline> make_equal_efficiency();
std::unique_ptr<Discipline> make_equal_eff_plus_plus();

} // namespace vmall::policy::sharing
