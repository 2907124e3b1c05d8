// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many processes and cores the first job of the queue starts with, and whether it starts now.
#pragma once

#include "policy/pass.hpp"

#include <memory>
#include <variant>

namespace vmall::policy {

// The first job does not start in this pass.
struct Delay {
    Reason why;
    Seconds not_before = 0;    // it would not start earlier even if cores were free
    int mpl = 1;               // it would start on cores for its smallest size at this MPL
    bool cores_coming = false; // enough for that are being freed already
    int processes = 0;         // it would not start with fewer; 0: with its smallest size
};

using Verdict = std::variant<Placement, Delay>;

// When folded jobs grow into cores that are free.
enum class Growth {
    none,
    when_nobody_waits,
    beside_the_head // also into those that the first job of the queue leaves to others
};

class SizingPolicy {
  public:
    virtual ~SizingPolicy() = default;

    // Looks at the first job of the queue, whose size is open. May fold running jobs to make room
    // for it, which is then for a later pass.
    virtual Verdict consider_first(Pass &pass) const = 0;

    // How many processes a waiting job has under a discipline that places jobs itself.
    virtual int processes(const Pass &, const WaitingJob &job) const { return job.sizes.largest(); }

    // Whether it chooses among the sizes of a job.
    virtual bool is_moldable() const { return true; }

    virtual Growth growth() const { return Growth::when_nobody_waits; }
};

// Every job as large as it accepts (or as the machine allows), or not at all.
std::unique_ptr<SizingPolicy> make_rigid();

// Folding by job type: thesis ch. 5, FJT paper s. 3. How deep it folds is a setting of the pass;
// with a maximum MPL of 1 it only chooses sizes (thesis ch. 6).
// Jobs that are not virtually malleable are neither sized nor counted by it.
std::unique_ptr<SizingPolicy> make_fjt();

// Moldable only: an equal share of the machine, which the first job waits for.
std::unique_ptr<SizingPolicy> make_psa();

// The cores that are idle, or half of what the latest arrival holds. How deep it folds is a setting
// of the pass. Folded jobs stay so.
std::unique_ptr<SizingPolicy> make_folding();

// Ours (doc/policy.md): long jobs start with all their processes, folded in half if need be; short
// ones with no more than a part of the machine, for which others are folded for a tenth of their
// time.
std::unique_ptr<SizingPolicy> make_adaptive();

// Its size is still to be chosen. Of other jobs it is given: they did not ask for virtual
// malleability, or were suspended.
bool size_is_open(const WaitingJob &job);

// The job at its largest size, unfolded on free cores.
Verdict place_rigidly(const Pass &pass, const WaitingJob &job);

// A virtually malleable job in the room usable by it: the most processes it accepts on that many
// cores, up to `max_mpl` on each. At least its smallest size, if that fits.
std::optional<Placement> place_within(const Pass &pass, const WaitingJob &job, const Usable &own,
                                      int cores, int max_mpl);

// What the first job starts with at least.
inline int least_processes(const WaitingJob &first, const Delay &delay) {
    return delay.processes > 0 ? delay.processes : first.sizes.smallest();
}

// Enough cores are being freed for the first job to start at this MPL.
Delay waits_for_coming_cores(int mpl);

} // namespace vmall::policy
