// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of states and events.
#include "spank_vm/agent/knowledge.hpp"

namespace vmall::agent {

namespace {

using Deed = JobDeed;
using Event = JobEvent;

JobStep step_from_unknown(Event event) {
    switch (event) {
    case Event::target:
        return {Deed::remember, Knowledge::remembered};
    case Event::ended_target:
        return {Deed::pass_over, Knowledge::unknown};
    case Event::step:
        return {Deed::begin, Knowledge::known};
    default:
        return {Deed::refuse, Knowledge::unknown};
    }
}

JobStep step_from_remembered(Event event) {
    switch (event) {
    case Event::target:
        return {Deed::remember, Knowledge::remembered};
    case Event::late_target:
        return {Deed::supersede, Knowledge::remembered};
    case Event::ended_target:
        return {Deed::pass_over, Knowledge::remembered};
    case Event::step:
        return {Deed::begin, Knowledge::known};
    case Event::step_of_target:
        return {Deed::begin_as_told, Knowledge::known};
    case Event::step_beside_target:
        return {Deed::begin_beside, Knowledge::known};
    default:
        return {Deed::refuse, Knowledge::remembered};
    }
}

JobStep step_from_known(Event event) {
    switch (event) {
    case Event::target:
        return {Deed::move, Knowledge::known};
    case Event::late_target:
    case Event::ended_target:
        return {Deed::supersede, Knowledge::known};
    case Event::next_target:
        return {Deed::begin_anew, Knowledge::unknown};
    case Event::step:
        return {Deed::add_step, Knowledge::known};
    case Event::launched:
        return {Deed::widen_cpusets, Knowledge::known};
    default:
        return {Deed::refuse, Knowledge::known};
    }
}

} // namespace

JobStep step(Knowledge state, Event event) {
    if (event == Event::ended)
        return {Deed::forget, Knowledge::unknown};
    switch (state) {
    case Knowledge::unknown:
        return step_from_unknown(event);
    case Knowledge::remembered:
        return step_from_remembered(event);
    case Knowledge::known:
        return step_from_known(event);
    case Knowledge::damaged:
        break;
    }
    return {Deed::refuse, Knowledge::damaged};
}

} // namespace vmall::agent
