// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a job was started or resized: what decides says it, and it is told by this name in messages,
// files and tables.
#pragma once

namespace vmall::common {

enum class Cause {
    turn,       // a start in the order of the queue
    backfill,   // a start before a job that is before it in the queue
    preemption, // a start for which Slurm preempts others
    room,       // a fold that makes room for a job that waits
    window,     // the same, of a backfilled job that has outstayed its window
    growth,     // a fold for a running job that grows
    sharing,    // a resize by a discipline that shares nodes out among all of their jobs
    free_cores, // an unfold onto cores that nobody needs more
    limit       // an unfold of a job that is folded deeper than it may be
};

inline constexpr Cause causes[] = {Cause::turn,    Cause::backfill,   Cause::preemption,
                                   Cause::room,    Cause::window,     Cause::growth,
                                   Cause::sharing, Cause::free_cores, Cause::limit};

constexpr const char *name_of(Cause cause) {
    switch (cause) {
    case Cause::turn:
        return "turn";
    case Cause::backfill:
        return "backfill";
    case Cause::preemption:
        return "preemption";
    case Cause::room:
        return "room";
    case Cause::window:
        return "window";
    case Cause::growth:
        return "growth";
    case Cause::sharing:
        return "sharing";
    case Cause::free_cores:
        return "free-cores";
    case Cause::limit:
        break;
    }
    return "limit";
}

} // namespace vmall::common
