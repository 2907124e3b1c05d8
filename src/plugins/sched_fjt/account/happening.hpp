// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has happened to a job, as it was seen then: for the history.
#pragma once

#include "common/cause.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"
#include "wire/history_rows.hpp"

#include <cstdint>
#include <optional>

namespace vmall::sched {

// Why something is done to a job, and for which one that waits.
struct Purpose {
    common::Cause cause = common::Cause::room;
    std::optional<JobNumber> for_job = {};
};

struct Happening {
    wire::Event event = wire::Event::started;
    policy::Seconds time = 0;
    JobView job; // of one that has ended the id only
    std::uint64_t cores_before = 0;
    std::uint64_t cores_after = 0;
    int mpl = 1;
    std::optional<Purpose> purpose = {};
    // Of one that has ended: for how long it ran, and all but what it lent.
    policy::Seconds ran = 0;
    wire::Balance balance = {};
};

// Of a job that had so many cores and now has these.
Happening happening(wire::Event event, policy::Seconds now, const JobView &job,
                    std::uint64_t cores_before, const CoreSets &cores, const Purpose &purpose);

} // namespace vmall::sched
