// SPDX-License-Identifier: GPL-2.0-or-later
//
// A time limit that counts work: of one run of a job, or of a step of it.
//
// Slurm is given the time that the work which is left takes at the present MPL. So the limit is
// right for as long as the job stays so deep, whatever becomes of this scheduler, and is set anew
// only when the MPL changes.
#pragma once

#include "policy/model.hpp"

#include <cstdint>

namespace vmall::sched {

using Minutes = std::int64_t;      // of a limit, as Slurm has it
using Milliseconds = std::int64_t; // so that what is rounded does not add up

// Of the job or step.
struct RunTime {
    policy::Seconds ran = 0; // but for the time that it was suspended
    Milliseconds lost = 0;   // of that
    int mpl = 1;
};

// What a job has lost to folding, by its own time, which stands while it is suspended.
class LostTime {
  public:
    LostTime() = default;
    explicit LostTime(Milliseconds before, policy::Seconds since = 0, int mpl = 1,
                      policy::Seconds folded = 0)
        : before_(before), since_(since), mpl_(mpl), folded_(folded) {}

    // From then on it is at this MPL.
    void change(policy::Seconds ran, int mpl);
    Milliseconds until(policy::Seconds ran) const;
    policy::Seconds folded_until(policy::Seconds ran) const; // at an MPL above 1
    int mpl() const { return mpl_; }

  private:
    friend struct SavedForm;
    Milliseconds before_ = 0; // lost, until `since_`
    policy::Seconds since_ = 0;
    int mpl_ = 1;
    policy::Seconds folded_ = 0; // until `since_`
};

class WorkLimit {
  public:
    // Looks at what Slurm has. What is neither what it was given nor what was asked for is asked
    // for now, by a user or an operator: it stands as long as the MPL does, and the work is what
    // can be done in it. True: Slurm does not have what it should.
    bool see(Minutes in_slurm, const RunTime &time);

    // What Slurm has is asked for now, whatever was before.
    void stand(Minutes in_slurm, const RunTime &time);

    // What Slurm is to have from now on: seconds that it may have run. granted() is the same.
    policy::Seconds extend(const RunTime &time);

    bool is_known() const { return granted_ > 0; }
    Minutes granted() const { return granted_; }
    Minutes asked() const { return asked_; } // last
    policy::Seconds work() const;            // in all

  private:
    friend struct SavedForm;
    Milliseconds work_left(const RunTime &time) const;

    Minutes asked_ = 0;
    Minutes granted_ = 0; // 0: nothing has been seen yet
    int mpl_ = 1;         // that this is for
    Milliseconds work_ = 0;
    bool restored_ = false; // Slurm's records and these may be of different moments
};

} // namespace vmall::sched
