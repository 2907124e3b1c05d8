// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far the nodes of a job are with what it is to have: the states of a resize in the controller
// (doc/protocol.md, whose tables a test compares with step()).
#pragma once

#include "plugins/sched_fjt/account/happening.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "wire/messages.hpp"

#include <chrono>
#include <optional>

namespace vmall::sched {

enum class TargetState {
    untold,    // its nodes have been sent nothing: it has just started, or slurmctld has
    settled,   // all of them have confirmed what it has
    folding,   // they have been asked to confine it to some of its cores; it has all of them yet
    growing,   // they have been told what it has, perhaps more than before
    unsettled, // likewise, and not all of them have confirmed
};

enum class TargetEvent {
    fold,      // a policy wants it
    unfold,    // a policy wanted it, and Slurm has given the job the cores
    due,       // the nodes are to be told what it has
    confirmed, // by all nodes
    released,  // by Slurm: the cores that a fold frees
    kept,      // Slurm does not let these go
    failed,    // some node has not confirmed, and some may have moved the job
    refused,   // by some nodes at least, and none has moved the job
    lost,      // nobody knows what the nodes did, as something failed on our side
    ended,     // the job
};

enum class Deed {
    nothing,
    send_fold, // to the nodes: the cores that it keeps
    announce,  // to the nodes: what it has
    release,   // in Slurm: the cores that the fold frees
};

struct TargetStep {
    Deed deed;
    TargetState next; // after a refused fold: unsettled all the same, if it was not settled before
};

// What an event comes to; it means nothing in a state in which it does not come.
TargetStep step(TargetState state, TargetEvent event);

// A fold that nodes have been asked for.
struct Fold {
    CoreSets keep;
    Purpose purpose;
};

class JobTarget {
  public:
    using Clock = std::chrono::steady_clock;

    // Changes the state, and says what is to be done now. What is sent then is to be numbered.
    Deed on(TargetEvent event);
    Deed fold(Fold fold, Clock::time_point decided);
    Deed unfold(Clock::time_point decided);

    void number(wire::Generation generation) { wanted_ = generation; }
    // Its nodes are not to be told of its cores yet (RollCaller). Nothing if they have been.
    void hold_back(bool held_back) { held_back_ = held_back && state_ == TargetState::untold; }
    // Nothing is tried before View::steady is so late.
    void rest_until(policy::Seconds steady) { rests_until_ = steady; }
    // Of all nodes: whether some of them had no step of the job, and noted what they were told for
    // its first one; whether each has done it.
    void note_replies(bool is_noted, bool is_applied, policy::Seconds steady);

    TargetState state() const { return state_; }
    wire::Generation wanted() const { return wanted_; }   // sent last; 0: nothing was
    wire::Generation applied() const { return applied_; } // confirmed last; 0: none was
    bool is_under_way() const {
        return state_ == TargetState::folding || state_ == TargetState::growing;
    }
    bool awaits(wire::Generation generation) const {
        return is_under_way() && generation == wanted_;
    }
    bool is_pending() const { return is_under_way() || state_ == TargetState::unsettled; }
    bool is_held_back() const { return held_back_; }
    bool is_only_noted() const { return noted_at_.has_value(); }
    bool rests(policy::Seconds steady) const { return steady < rests_until_; }
    policy::Seconds rests_until() const { return rests_until_; }
    bool may_be_resized(policy::Seconds steady) const { return !held_back_ && !rests(steady); }
    // Whether TargetEvent::due has come. A node may have forgotten what it noted before the first
    // step came; it is told again so many seconds after it noted it.
    bool is_due(policy::Seconds steady, bool has_steps, policy::Seconds interval) const;
    const Fold *under_way_fold() const {
        return fold_ ? &*fold_ : nullptr;
    } // null: it does not fold
    // When the resize was decided that is not confirmed yet.
    std::optional<Clock::time_point> decided() const { return decided_; }

  private:
    void settle(TargetEvent event);

    TargetState state_ = TargetState::untold;
    wire::Generation wanted_ = 0;
    wire::Generation applied_ = 0;
    bool was_settled_ = false; // before a fold
    std::optional<Fold> fold_; // in state folding
    std::optional<Clock::time_point> decided_;
    bool held_back_ = false;
    std::optional<policy::Seconds> noted_at_;
    policy::Seconds rests_until_ = 0;
};

} // namespace vmall::sched
