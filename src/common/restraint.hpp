// SPDX-License-Identifier: GPL-2.0-or-later
//
// What keeps a running job from being folded deeper than it is, told by this name in messages.
#pragma once

namespace vmall::common {

enum class Restraint {
    unstarted,    // it is of an srun alone, whose step has not started yet
    unregistered, // its steps do not register with the agents of its nodes
    gres,         // it has GRES, which are not folded
    unsurveyed,   // it takes part by default, and whether libvmrt serves it is not known
    unserved,     // it takes part by default, and libvmrt does not serve all of its processes
    cost,         // resizes have cost it as much as they may, for now
    folds,        // it has been folded as often as it may be
    hand_overs,   // with its messages, hand-overs would double its core-seconds
    site,         // the site allows this job no deeper fold
    level,        // nor any other
    nodes,        // nor one that is on several nodes
    dear,         // nor any on a machine of several nodes, as long as folding costs so much
    memory,       // nor any on several nodes beside which most jobs would find no memory
    time,         // its work would not be done in the time that it has
    record,       // slurmdbd could not record a resize now
    node          // a node failed to resize it, and is asked again later
};

inline constexpr Restraint restraints[] = {
    Restraint::unstarted, Restraint::unregistered, Restraint::gres,   Restraint::unsurveyed,
    Restraint::unserved,  Restraint::cost,         Restraint::folds,  Restraint::hand_overs,
    Restraint::site,      Restraint::level,        Restraint::nodes,  Restraint::dear,
    Restraint::memory,    Restraint::time,         Restraint::record, Restraint::node};

constexpr const char *name_of(Restraint restraint) {
    switch (restraint) {
    case Restraint::unstarted:
        return "unstarted";
    case Restraint::unregistered:
        return "unregistered";
    case Restraint::gres:
        return "gres";
    case Restraint::unsurveyed:
        return "unsurveyed";
    case Restraint::unserved:
        return "unserved";
    case Restraint::cost:
        return "cost";
    case Restraint::folds:
        return "folds";
    case Restraint::hand_overs:
        return "hand_overs";
    case Restraint::site:
        return "site";
    case Restraint::level:
        return "level";
    case Restraint::nodes:
        return "nodes";
    case Restraint::dear:
        return "dear";
    case Restraint::memory:
        return "memory";
    case Restraint::time:
        return "time";
    case Restraint::record:
        return "record";
    case Restraint::node:
        break;
    }
    return "node";
}

} // namespace vmall::common
