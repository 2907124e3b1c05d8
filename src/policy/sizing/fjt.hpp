// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding by job type (FJT), and where its authors' descriptions of it differ.
#pragma once

#include "policy/sizing/sizing.hpp"

namespace vmall::policy {

class Fjt : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const final;

  protected:
    // What it asks about the others before it decides on a long job.
    struct Circumstances {
        bool other_long_queued = false;
        bool short_running = false; // only those that arrived before the long one
        Seconds short_jobs_end = 0;
        bool long_folded = false;
    };

  private:
    // Whether a long job waits while short jobs run. As in figure 5.5, unless it has company.
    virtual bool waits_for_short_jobs(const Circumstances &around) const {
        return !around.other_long_queued && around.short_running;
    }

    // Whether cores will come free for a long job to grow into, so that it may start folded. As in
    // figure 5.5, if no other long job competes for them.
    virtual bool can_grow_later(const Circumstances &around) const {
        return !around.other_long_queued;
    }

    static Circumstances look_around(const Pass &pass);
    Verdict consider_long(Pass &pass) const;
};

} // namespace vmall::policy
