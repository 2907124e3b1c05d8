// SPDX-License-Identifier: GPL-2.0-or-later
//
// The states of a job in the agent: all that doc/protocol.md says of them and nothing else, and
// what a job begins with. $SOURCE is the tree.
#include "protocol_table.hpp"
#include "run.hpp"
#include "spank_vm/agent/known_job.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::agent;
using Deed = JobDeed;
using Event = JobEvent;
using Said = std::optional<std::uint32_t>; // a run

namespace {

const std::vector<std::pair<std::string, Knowledge>> states = {
    {"unknown", Knowledge::unknown},
    {"remembered", Knowledge::remembered},
    {"known", Knowledge::known},
    {"damaged", Knowledge::damaged},
};

// As each row of doc/protocol.md begins.
const std::vector<std::pair<std::string, Event>> events = {
    {"target, generation not lower", Event::target},
    {"target, lower generation", Event::late_target},
    {"target of a run whose end came here", Event::ended_target},
    {"target of a later run or for another user, generation not lower", Event::next_target},
    {"target for another node, or another user while", Event::strange_target},
    {"target, the same generation with other content", Event::false_target},
    {"target, it cannot be told who is left", Event::doubtful_target},
    {"target, a step runs here that has not registered", Event::beside_stranger},
    {"target with `only_served`", Event::for_served},
    {"register, of no user for whom a target is remembered", Event::step},
    {"register, same user, the same run or none said", Event::step_of_target},
    {"register, same user, another run", Event::step_beside_target},
    {"register, same user", Event::step},
    {"launched", Event::launched},
    {"forget", Event::ended},
};

// With the answer.
const std::vector<std::pair<std::string, Deed>> deeds = {
    {"nothing | `refused`", Deed::refuse},
    {"nothing | `superseded`", Deed::supersede},
    {"nothing | `unknown_job`", Deed::pass_over},
    {"remembered for the first step | `unknown_job`", Deed::remember},
    {"moved (see *A fold*); if that fails, moved back | `applied`, or else `refused`", Deed::move},
    {"directory, control block and runtime page are made", Deed::begin},
    {"the job begins with the remembered target | done", Deed::begin_as_told},
    {"the job begins with Slurm's cores and MPL 1, at the generation of the remembered target",
     Deed::begin_beside},
    {"the step's processes belong to the job from now on | done", Deed::add_step},
    {"cpusets of the step that are not the job's become so | done", Deed::widen_cpusets},
    {"all of the job is removed;", Deed::forget},
    {"all of the earlier run is removed, and the target taken as for an unknown job",
     Deed::begin_anew},
};

template <class Value>
Value named(const std::string &text, const std::vector<std::pair<std::string, Value>> &names) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto &name) {
        return text.rfind(name.first, 0) == 0;
    });
    ck_assert_msg(found != names.end(), "%s", text.c_str());
    return found->second;
}

using Cell = std::pair<Knowledge, Event>;

// What the page says of each cell; nothing where it says nothing.
std::map<Cell, JobStep> documented() {
    std::map<Cell, JobStep> cells;
    for (const auto &columns : test::rows_of_protocol("States of a job in the agent", 5)) {
        for (const std::string &state : test::split(columns[0], ", ")) {
            const Cell cell{named(state, states), named(columns[1], events)};
            ck_assert_msg(!cells.count(cell), "%s: twice", columns[1].c_str());
            cells[cell] = {named(columns[2] + " | " + columns[3], deeds),
                           columns[4].rfind("same", 0) == 0 ? cell.first
                                                            : named(columns[4], states)};
        }
    }
    return cells;
}

START_TEST(each_event_does_in_each_state_what_the_protocol_says) {
    const auto cells = documented();
    ck_assert_uint_ge(cells.size(), 25);
    for (const auto &[state_name, state] : states)
        for (const auto &[event_name, event] : events) {
            const auto found = cells.find({state, event});
            const JobStep expected =
                found == cells.end() ? JobStep{Deed::refuse, state} : found->second;
            const JobStep is = step(state, event);
            ck_assert_msg(is.deed == expected.deed && is.next == expected.next, "%s: %s",
                          state_name.c_str(), event_name.c_str());
        }
}
END_TEST

constexpr std::uint32_t job_id = 7;
constexpr uid_t user = 1234;

wire::Target target_of_run(Said run) {
    wire::Target target = {"n1", job_id, user, {1}, 2, 5};
    target.run = run;
    return target;
}

struct FirstStep {
    const char *name;
    uid_t user;
    std::vector<std::uint32_t> cores; // Slurm's
    Said told, says;                  // which run it is
    Event event;
    Allotment begins_with;
};

const FirstStep first_steps[] = {
    {"of the target", user, {0, 1}, 1, 1, Event::step_of_target, {{1}, 2, 5, 1}},
    {"it does not say", user, {0, 1}, 1, {}, Event::step_of_target, {{1}, 2, 5, 1}},
    {"the target does not", user, {0, 1}, {}, 1, Event::step_of_target, {{1}, 2, 5, {}}},
    {"the next run", user, {0, 1}, 1, 2, Event::step_beside_target, {{0, 1}, 1, 5, {}}},
    {"an earlier one", user, {0, 1}, 1, 0, Event::step_beside_target, {{0, 1}, 1, 5, {}}},
    {"elsewhere", user, {0}, 1, 1, Event::step_beside_target, {{0}, 1, 5, 1}},
    {"another user's", user + 1, {0, 1}, 1, 1, Event::step, {{0, 1}, 1, 0, {}}},
};

START_TEST(a_job_begins_with_what_was_remembered_for_it) {
    const FirstStep &row = first_steps[_i];
    KnownJob known;
    known.remember(target_of_run(row.told));
    ck_assert(known.state() == Knowledge::remembered && known.run() == row.told);
    const spank_vm::Registration step = {job_id, 3, row.user, row.cores, {}, row.says};
    ck_assert_msg(known.event_of(step) == row.event, "%s", row.name);
    const Deed deed = agent::step(known.state(), row.event).deed;
    ck_assert_msg(known.first_allotment(deed, step) == row.begins_with, "%s", row.name);
}
END_TEST

START_TEST(what_is_forgotten_is_unknown) {
    KnownJob known;
    ck_assert(known.state() == Knowledge::unknown && !known.run());
    known.damage("torn");
    ck_assert(known.state() == Knowledge::damaged && *known.damage() == "torn");
    known.forget();
    known.remember(target_of_run(1));
    ck_assert(!known.damage() && !known.job() && known.remembered());
    known.forget();
    ck_assert(known.state() == Knowledge::unknown && !known.remembered() && !known.run());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("known job");
    tcase_add_test(tests, each_event_does_in_each_state_what_the_protocol_says);
    tcase_add_loop_test(tests, a_job_begins_with_what_was_remembered_for_it, 0,
                        static_cast<int>(std::size(first_steps)));
    tcase_add_test(tests, what_is_forgotten_is_unknown);
    return run("known job", tests);
}
