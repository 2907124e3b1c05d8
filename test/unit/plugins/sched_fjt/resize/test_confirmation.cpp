// SPDX-License-Identifier: GPL-2.0-or-later
//
// What replies of nodes come to.
#include "plugins/sched_fjt/resize/confirmation.hpp"

#include "run.hpp"

#include <iterator>
#include <string>
#include <vector>

using namespace vmall;
using namespace vmall::sched;
using wire::Outcome;
using Event = TargetEvent;

namespace {

constexpr wire::Generation asked = 7;

NodeReply reply(Outcome outcome, wire::Generation generation = asked) {
    return {"n0", true, outcome, generation, ""};
}

const NodeReply silence = {"n0", false, Outcome::refused, 0, "no answer in time"};
const NodeReply applied = reply(Outcome::applied);
const NodeReply superseded = reply(Outcome::superseded, asked + 1);
const NodeReply unknown_job = reply(Outcome::unknown_job, 0);
const NodeReply refused = reply(Outcome::refused, asked - 1);

struct Row {
    const char *name;
    std::vector<NodeReply> replies; // of n0, n1
    NodeNames with_steps;           // in a fold
    Event event;
};

const Row rows[] = {
    {"applied", {applied, applied}, {"n0", "n1"}, Event::confirmed},
    {"applied, another generation", {reply(Outcome::applied, asked - 1)}, {}, Event::failed},
    {"applied, a generation to come", {reply(Outcome::applied, asked + 1)}, {}, Event::failed},
    {"one of two is silent", {applied, silence}, {}, Event::failed},
    {"silent", {silence}, {}, Event::failed},
    {"superseded", {superseded}, {}, Event::failed},
    {"one of two refuses", {applied, refused}, {}, Event::failed},
    {"one refuses, and one is silent", {refused, silence}, {}, Event::failed},
    {"all refuse", {refused, refused}, {}, Event::refused},
    {"nothing of the job there", {unknown_job}, {}, Event::confirmed},
    {"nothing of the job there, and none said to be",
     {unknown_job, applied},
     {"n1"},
     Event::confirmed},
    {"nothing of the job there, where Slurm knows of a step", {unknown_job}, {"n0"}, Event::failed},
    {"on the second node, likewise", {applied, unknown_job}, {"n1"}, Event::failed},
};

START_TEST(replies_come_to_this) {
    const Row &row = rows[_i];
    Confirmation confirmation{1, asked, row.replies};
    for (std::size_t i = 0; i < confirmation.replies.size(); ++i)
        confirmation.replies[i].node = "n" + std::to_string(i);
    ck_assert_msg(event_of(confirmation, row.with_steps) == row.event, "%s", row.name);
}
END_TEST

START_TEST(it_is_said_why_a_node_has_not_confirmed) {
    NodeReply said = refused;
    said.reason = "damaged";
    ck_assert_text(why_not(silence), "no answer: no answer in time");
    ck_assert_text(why_not(said), "refused: damaged");
    ck_assert_text(why_not(superseded), "refused: it knows a newer target");
    ck_assert_text(std::string(kind_of_refusal(superseded)), "superseded");
    ck_assert_text(std::string(kind_of_refusal(unknown_job)), "unknown_job");
    ck_assert_text(std::string(kind_of_refusal(said)), "refused");
    said.unattached = true;
    ck_assert_text(std::string(kind_of_refusal(said)), "unattached");
}
END_TEST

struct Served {
    const char *name;
    std::vector<wire::RankReport> ranks; // of each node
    bool is_served;
};

wire::RankReport ranks(std::uint32_t tasks, std::uint32_t attached) {
    wire::RankReport report;
    report.tasks = tasks;
    report.attached = attached;
    return report;
}

const Served served[] = {
    {"all", {ranks(2, 2), ranks(1, 1)}, true},
    {"not all of one", {ranks(2, 2), ranks(2, 1)}, false},
    {"none on one", {ranks(2, 2), ranks(0, 0)}, false},
};

START_TEST(a_job_is_served_if_all_its_ranks_are) {
    const Served &row = served[_i];
    Confirmation confirmation{1, asked, {}};
    for (const wire::RankReport &report : row.ranks) {
        confirmation.replies.push_back(applied);
        confirmation.replies.back().ranks = report;
    }
    ck_assert_msg(is_served(confirmation) == row.is_served, "%s", row.name);
    confirmation.replies.push_back(silence);
    ck_assert_msg(!is_served(confirmation), "%s, and one is silent", row.name);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("confirmation");
    tcase_add_loop_test(tests, replies_come_to_this, 0, static_cast<int>(std::size(rows)));
    tcase_add_test(tests, it_is_said_why_a_node_has_not_confirmed);
    tcase_add_loop_test(tests, a_job_is_served_if_all_its_ranks_are, 0,
                        static_cast<int>(std::size(served)));
    return run("confirmation", tests);
}
