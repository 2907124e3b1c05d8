// SPDX-License-Identifier: GPL-2.0-or-later
//
// In which order waiting jobs may start.
#pragma once

#include "policy/pass.hpp"
#include "policy/sizing/sizing.hpp"
#include "policy/window/window.hpp"

#include <memory>
#include <optional>

namespace vmall::policy {

class Discipline {
  public:
    virtual ~Discipline() = default;

    // Starts what may start, and says of every job it looks at why it waits.
    virtual void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &windows) const = 0;

    // Whether every waiting job has a reserved start, not only the head.
    virtual bool reserves_for_all() const { return false; }

    // Whether no long virtually malleable job overtakes, though others do.
    virtual bool holds_up_long_jobs() const { return false; }

    // Whether running jobs grow when it says so, and not when the sizing policy does.
    virtual bool grows_running_jobs() const { return false; }

    // To which a job on so many nodes is folded at most, whatever Settings::max_mpl.
    virtual int deepest_mpl(std::size_t /*nodes*/, bool /*in_vain*/) const { return highest_mpl; }

    // From the order of the queue into that in which waiting jobs are dealt cores.
    virtual void sort_as_dealt(Snapshot &) const {}

    // Whether it makes use of RunningJob::measured.
    virtual bool goes_by_measurements() const { return false; }
};

// First come, first served: nobody passes the head.
std::unique_ptr<Discipline> make_fcfs();

// The same in the order of estimates, shortest or longest first (thesis s. 2.3.2.2).
std::unique_ptr<Discipline> make_sjf();
std::unique_ptr<Discipline> make_ljf();

// EASY (aggressive) backfilling: others pass the head if they do not delay its reserved start. Of
// the virtually malleable ones only short jobs do, and since they lose cores when their window
// expires, they may also be let in for longer than the window: see easy.cpp.
std::unique_ptr<Discipline> make_easy();

// Conservative backfilling (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001): every job has a reserved
// start that later jobs do not delay, and that comes earlier when others end early. It plans the
// size itself: of those that start first, the largest. Nobody is folded, and no window expires.
std::unique_ptr<Discipline> make_conservative();

// Of our own (doc/policy.md): cores go to the job that has the least work left. It places and folds
// jobs itself: of the sizing policy it takes the number of processes, of the window policy nothing.
std::unique_ptr<Discipline> make_least_work();

// Starts jobs from the head on, until one does not start: the head's delay then. Empty: all have
// started.
std::optional<Delay> start_in_order(Pass &pass, const SizingPolicy &sizing);

} // namespace vmall::policy
