// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of states and events.
#include "plugins/sched_fjt/account/job_target.hpp"

#include <utility>

namespace vmall::sched {

namespace {

using State = TargetState;
using Event = TargetEvent;

TargetStep step_from_rest(State state, Event event) {
    switch (event) {
    case Event::fold:
        return {Deed::send_fold, State::folding};
    case Event::unfold:
    case Event::due:
        return {Deed::announce, State::growing};
    default:
        return {Deed::nothing, state};
    }
}

// Policies leave it alone.
TargetStep step_from_folding(Event event) {
    switch (event) {
    case Event::confirmed:
        return {Deed::release, State::folding};
    case Event::released:
    case Event::refused:
        return {Deed::nothing, State::settled};
    case Event::kept:
    case Event::failed:
        return {Deed::announce, State::growing};
    case Event::lost:
    case Event::ended:
        return {Deed::nothing, State::unsettled};
    default:
        return {Deed::nothing, State::folding};
    }
}

TargetStep step_from_growing(Event event) {
    switch (event) {
    case Event::confirmed:
        return {Deed::nothing, State::settled};
    case Event::failed:
    case Event::refused:
    case Event::lost:
    case Event::ended:
        return {Deed::nothing, State::unsettled};
    case Event::due:
        return {Deed::nothing, State::growing};
    default:
        return step_from_rest(State::growing, event);
    }
}

} // namespace

TargetStep step(State state, Event event) {
    switch (state) {
    case State::folding:
        return step_from_folding(event);
    case State::growing:
        return step_from_growing(event);
    default:
        return step_from_rest(state, event);
    }
}

Deed JobTarget::on(Event event) {
    const auto [deed, next] = step(state_, event);
    const State before = std::exchange(state_, next);
    if (next == before)
        return deed;
    held_back_ = false;
    if (next == State::folding)
        was_settled_ = before == State::settled;
    if (before == State::folding) {
        fold_.reset();
        decided_.reset();
    }
    if (next == State::settled)
        settle(event);
    return deed;
}

// A fold that was refused leaves the nodes as they were.
void JobTarget::settle(Event event) {
    decided_.reset();
    if (event != Event::refused)
        applied_ = wanted_;
    else if (was_settled_)
        wanted_ = applied_;
    else
        state_ = State::unsettled;
}

Deed JobTarget::fold(Fold fold, Clock::time_point decided) {
    const Deed deed = on(Event::fold);
    if (deed != Deed::send_fold)
        return deed;
    fold_ = std::move(fold);
    decided_ = decided;
    return deed;
}

Deed JobTarget::unfold(Clock::time_point decided) {
    const Deed deed = on(Event::unfold);
    if (deed == Deed::announce)
        decided_ = decided;
    return deed;
}

void JobTarget::note_replies(bool is_noted, bool is_applied, policy::Seconds steady) {
    if (is_noted || (noted_at_ && !is_applied))
        noted_at_ = steady;
    else
        noted_at_.reset();
}

bool JobTarget::is_due(policy::Seconds steady, bool has_steps, policy::Seconds interval) const {
    if (held_back_ || rests(steady) || is_under_way())
        return false;
    return state_ != State::settled || (noted_at_ && has_steps && steady >= *noted_at_ + interval);
}

} // namespace vmall::sched
