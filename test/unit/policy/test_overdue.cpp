// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs that are folded deeper than they may be grow before anybody else is started.
#include "table.hpp"

namespace {

using namespace situation;

policy::Settings by(policy::QueueDiscipline discipline) {
    policy::Settings settings;
    settings.queue_discipline = discipline;
    settings.sizing = "rigid";
    return settings;
}

policy::Settings adaptive() {
    policy::Settings settings;
    settings.sizing = "adaptive";
    settings.max_mpl = 4;
    return settings;
}

// Eight processes on that many cores of a node, where they may not be folded.
policy::RunningJob overdue(std::uint32_t id, int cores, int max_mpl = 1) {
    return at_most_mpl(max_mpl, running_long(id, 8, {cores}));
}

const Row rows[] = {
    {"grows where another would start", by("easy"), snapshot({8}, {overdue(1, 2)}, {rigid(9, 2)}),
     "resize 1: 0:8\nwait 9: waits for 2 cores\n"},
    {"only to where it may be", by("easy"), snapshot({8}, {overdue(1, 2, 2)}, {rigid(9, 4)}),
     "resize 1: 0:4\nstart 9: 4 anyhow\n"},
    {"as near to it as cores are free", by("easy"),
     snapshot({8}, {overdue(1, 2), running(2, {4})}, {rigid(9, 1)}),
     "resize 1: 0:4\nwait 9: waits for 1 core\n"},
    {"nobody else has the cores that do not suffice yet", by("easy"),
     snapshot({8}, {overdue(1, 4), running(2, {2})}, {rigid(9, 2)}), "wait 9: waits for 2 cores\n"},
    {"cores of other nodes are none of its business", by("easy"),
     snapshot({8, 8}, {overdue(1, 2), running(2, {6, 4})}, {rigid(9, 2)}), "start 9: 2 anyhow\n"},
    {"not while it cannot be resized", by("easy"),
     snapshot({8}, {resizing(overdue(1, 4), {{{0}, 2}})}, {rigid(9, 2)}), "start 9: 2 anyhow\n"},
    {"whatever the policy: fcfs", by("fcfs"), snapshot({8}, {overdue(1, 2)}, {rigid(9, 2)}),
     "resize 1: 0:8\nwait 9: waits for 2 cores\n"},
    {"whatever the policy: adaptive", adaptive(),
     snapshot({8}, {overdue(1, 2)}, {short_job(9, {2})}),
     "resize 1: 0:8\nwait 9: waits for 1 core\n"},
    {"the one that is deepest beyond it first", by("easy"),
     snapshot({8}, {overdue(1, 3, 2), overdue(2, 2, 1)}, {}), "resize 2: 0:4\n"},
    {"as deep as it may be: the policy's", by("easy"),
     snapshot({8}, {overdue(1, 2, 4)}, {rigid(9, 6)}), "start 9: 6 anyhow\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *overdue_suite() {
    return suite_of("overdue", rows, decides);
}
