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
};

using Verdict = std::variant<Placement, Delay>;

class SizingPolicy {
  public:
    virtual ~SizingPolicy() = default;

    // Looks at the first job of the queue. May fold running jobs to make room for it, which is then
    // for a later pass.
    virtual Verdict consider_first(Pass &pass) const = 0;
};

// Every job as large as it accepts (or as the machine allows), or not at all.
std::unique_ptr<SizingPolicy> make_rigid();

// Folding by job type: thesis ch. 5, FJT paper s. 3. Which of its two descriptions, and how deep it
// folds, are settings of the pass; with a maximum MPL of 1 it only chooses sizes (thesis ch. 6).
// Jobs that are not virtually malleable are neither sized nor counted by it.
std::unique_ptr<SizingPolicy> make_fjt();

// The job at its largest size, unfolded on free cores.
Verdict place_rigidly(const Pass &pass, const WaitingJob &job);

} // namespace vmall::policy
