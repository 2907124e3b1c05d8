// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much the agent knows of a job, and what messages about it come to: the states of a job in the
// agent (doc/protocol.md, whose table a test compares with step()).
#pragma once

namespace vmall::agent {

enum class Knowledge {
    unknown,
    remembered, // a target that came before the job's first step here
    known,      // a step of it has registered
    damaged,    // the files that an earlier agent left: where the job runs is not known
};

enum class JobEvent {
    target,          // of the generation that is known, or a higher one
    late_target,     // of a lower one
    ended_target,    // of a run whose end came here a moment ago
    next_target,     // of a later run or another user, when nothing of the job lives here any more
    strange_target,  // for another node, or for another user while something of the job lives here
    false_target,    // of the generation that is known, and not what that was
    doubtful_target, // when it cannot be told who is left of a killed slurmstepd
    beside_stranger, // a target, when a step runs here that has not registered
    for_served,      // a target for served ranks only, when none has begun here
    step,            // registers; of no user that a remembered target is for
    step_of_target,  // registers; what was remembered is for it
    step_beside_target, // registers; what was remembered is for another start of the job
    launched,           // a step
    ended,              // the job, says its epilog
};

enum class JobDeed {
    refuse,
    supersede,     // the target: a higher generation is known, or its run has ended
    pass_over,     // the target: nothing of its run is to come
    remember,      // the target, for the first step
    move,          // the job, to the target
    begin,         // with Slurm's cores, unfolded
    begin_as_told, // with the remembered target
    begin_beside,  // likewise with Slurm's cores, but older targets than the remembered are late
    add_step,
    widen_cpusets, // of the step, to those of the job
    forget,        // all of the job
    begin_anew,    // forget all of the job, and take the target as for one that is not known
};

struct JobStep {
    JobDeed deed;
    Knowledge next;
};

// What an event comes to. What does not come in a state is refused.
JobStep step(Knowledge state, JobEvent event);

} // namespace vmall::agent
