// SPDX-License-Identifier: GPL-2.0-or-later
//
// The states of a resize: all that doc/protocol.md says of them and nothing else, and what a target
// keeps from state to state. $SOURCE is the tree.
#include "plugins/sched_fjt/account/job_target.hpp"

#include "protocol_table.hpp"
#include "run.hpp"

#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::sched;
using Event = TargetEvent;
using State = TargetState;

namespace {

// As doc/protocol.md has them.
const std::map<std::string, State> states = {
    {"untold", State::untold},   {"settled", State::settled},     {"folding", State::folding},
    {"growing", State::growing}, {"unsettled", State::unsettled},
};
const std::map<std::string, Event> events = {
    {"policy wants a fold", Event::fold},
    {"policy wanted an unfold, and Slurm has given the job the cores", Event::unfold},
    {"the nodes are due to be told", Event::due},
    {"all nodes have confirmed", Event::confirmed},
    {"Slurm has released them", Event::released},
    {"Slurm does not let them go", Event::kept},
    {"a node has not confirmed, and one may have moved the job", Event::failed},
    {"nodes have refused, and none has moved the job", Event::refused},
    {"something fails in slurmctld", Event::lost},
    {"the job has ended meanwhile", Event::ended},
};
const std::map<std::string, Deed> deeds = {
    {"nothing", Deed::nothing},
    {"the target is sent: the cores to keep", Deed::send_fold},
    {"what the job has is announced", Deed::announce},
    {"Slurm is told to release the other cores", Deed::release},
};

using Cell = std::pair<State, Event>;

// What the page says of each cell; nothing where it says nothing.
std::map<Cell, TargetStep> documented() {
    std::map<Cell, TargetStep> cells;
    for (const auto &columns : test::rows_of_protocol("States of a resize in the controller", 4)) {
        const std::string next = columns[3].substr(0, columns[3].find_first_of(", "));
        for (const std::string &state : test::split(columns[0], ", ")) {
            const Cell cell{states.at(state), events.at(columns[1])};
            ck_assert_msg(!cells.count(cell), "%s: twice", columns[1].c_str());
            cells[cell] = {deeds.at(columns[2]), states.at(next)};
        }
    }
    return cells;
}

START_TEST(each_event_does_in_each_state_what_the_protocol_says) {
    const auto cells = documented();
    ck_assert_uint_ge(cells.size(), 20);
    for (const auto &[state_name, state] : states)
        for (const auto &[event_name, event] : events) {
            const auto found = cells.find({state, event});
            const TargetStep expected =
                found == cells.end() ? TargetStep{Deed::nothing, state} : found->second;
            const TargetStep is = step(state, event);
            ck_assert_msg(is.deed == expected.deed && is.next == expected.next, "%s: %s",
                          state_name.c_str(), event_name.c_str());
        }
}
END_TEST

// By a generation each of what is sent, from 1 on.
JobTarget after(const std::vector<Event> &course) {
    JobTarget target;
    wire::Generation last = 0;
    for (const Event event : course) {
        const Deed deed = event == Event::fold     ? target.fold({{{0, {0, 1}}}, {}}, {})
                          : event == Event::unfold ? target.unfold({})
                                                   : target.on(event);
        if (deed == Deed::send_fold || deed == Deed::announce)
            target.number(++last);
    }
    return target;
}

struct Course {
    const char *name;
    std::vector<Event> events;
    State state;
    wire::Generation wanted, applied;
    bool is_timed; // a resize that was decided is not applied yet
};

const Course courses[] = {
    {"just started", {}, State::untold, 0, 0, false},
    {"told", {Event::due}, State::growing, 1, 0, false},
    {"told, and there", {Event::due, Event::confirmed}, State::settled, 1, 1, false},
    {"folding", {Event::due, Event::confirmed, Event::fold}, State::folding, 2, 1, true},
    {"nodes have folded",
     {Event::due, Event::confirmed, Event::fold, Event::confirmed},
     State::folding,
     2,
     1,
     true},
    {"folded",
     {Event::due, Event::confirmed, Event::fold, Event::confirmed, Event::released},
     State::settled,
     2,
     2,
     false},
    {"folded in vain: it is announced, which is no resize",
     {Event::due, Event::confirmed, Event::fold, Event::confirmed, Event::kept},
     State::growing,
     3,
     1,
     false},
    {"refused to fold, and was where it belongs",
     {Event::due, Event::confirmed, Event::fold, Event::refused},
     State::settled,
     1,
     1,
     false},
    {"refused to fold, and was not",
     {Event::due, Event::refused, Event::fold, Event::refused},
     State::unsettled,
     2,
     0,
     false},
    {"refused to fold, and was never told",
     {Event::fold, Event::refused},
     State::unsettled,
     1,
     0,
     false},
    {"grows", {Event::due, Event::confirmed, Event::unfold}, State::growing, 2, 1, true},
    {"has grown",
     {Event::due, Event::confirmed, Event::unfold, Event::confirmed},
     State::settled,
     2,
     2,
     false},
    {"grows in the second try",
     {Event::due, Event::confirmed, Event::unfold, Event::failed, Event::due},
     State::growing,
     3,
     1,
     true},
    {"folds while it grows",
     {Event::due, Event::confirmed, Event::unfold, Event::fold, Event::refused},
     State::unsettled,
     3,
     1,
     false},
    {"folding, and has ended",
     {Event::due, Event::confirmed, Event::fold, Event::ended},
     State::unsettled,
     2,
     1,
     false},
};

START_TEST(a_target_goes_this_course) {
    const Course &row = courses[_i];
    const JobTarget target = after(row.events);
    ck_assert_msg(target.state() == row.state, "%s", row.name);
    ck_assert_uint_eq(target.wanted(), row.wanted);
    ck_assert_uint_eq(target.applied(), row.applied);
    ck_assert_msg(target.decided().has_value() == row.is_timed, "%s", row.name);
    ck_assert_msg(!target.under_way_fold() == (row.state != State::folding), "%s", row.name);
    const bool awaits = row.state == State::folding || row.state == State::growing;
    ck_assert_msg(target.awaits(row.wanted) == awaits, "%s", row.name);
    ck_assert_msg(!target.awaits(row.wanted + 1), "%s", row.name);
    ck_assert_msg(row.wanted == 0 || !target.awaits(row.wanted - 1), "%s", row.name);
    ck_assert_msg(target.is_pending() == (row.wanted != row.applied), "%s", row.name);
}
END_TEST

struct Due {
    const char *name;
    std::vector<Event> events;
    bool is_noted; // by a node, for want of a step
    bool has_steps;
    policy::Seconds at; // noted at 100, rested until 130
    bool is_due;
};

constexpr policy::Seconds interval = 60;
const Due dues[] = {
    {"untold", {}, false, true, 130, true},
    {"untold, soon", {}, false, true, 129, false},
    {"growing", {Event::due}, false, true, 1000, false},
    {"folding", {Event::fold}, false, true, 1000, false},
    {"settled", {Event::due, Event::confirmed}, false, true, 1000, false},
    {"settled, noted", {Event::due, Event::confirmed}, true, true, 160, true},
    {"settled, noted just now", {Event::due, Event::confirmed}, true, true, 159, false},
    {"settled, noted, and no step yet", {Event::due, Event::confirmed}, true, false, 1000, false},
    {"unsettled", {Event::due, Event::refused}, false, false, 130, true},
    {"unsettled, soon", {Event::due, Event::refused}, false, false, 129, false},
};

START_TEST(nodes_are_due_to_be_told) {
    const Due &row = dues[_i];
    JobTarget target = after(row.events);
    target.note_replies(row.is_noted, false, 100);
    target.rest_until(130);
    ck_assert_msg(target.is_due(row.at, row.has_steps, interval) == row.is_due, "%s", row.name);
}
END_TEST

START_TEST(what_is_held_back_is_neither_due_nor_resized) {
    JobTarget target;
    target.hold_back(true);
    ck_assert(!target.is_due(1000, true, interval) && !target.may_be_resized(1000));
    target.hold_back(false);
    ck_assert(target.is_due(1000, true, interval) && target.may_be_resized(1000));
    target.on(Event::due);
    target.hold_back(true);
    ck_assert(!target.is_held_back());
}
END_TEST

START_TEST(a_node_has_only_noted_it_until_all_have_done_it) {
    JobTarget target;
    target.note_replies(true, false, 1);
    target.note_replies(false, false, 2);
    ck_assert(target.is_only_noted());
    target.note_replies(false, true, 3);
    ck_assert(!target.is_only_noted());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("job target");
    tcase_add_test(tests, each_event_does_in_each_state_what_the_protocol_says);
    tcase_add_loop_test(tests, a_target_goes_this_course, 0, static_cast<int>(std::size(courses)));
    tcase_add_loop_test(tests, nodes_are_due_to_be_told, 0, static_cast<int>(std::size(dues)));
    tcase_add_test(tests, what_is_held_back_is_neither_due_nor_resized);
    tcase_add_test(tests, a_node_has_only_noted_it_until_all_have_done_it);
    return run("job target", tests);
}
