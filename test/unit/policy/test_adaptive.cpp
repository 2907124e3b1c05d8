// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizing adaptive (doc/policy.md), with EASY backfilling.
#include "table.hpp"

namespace {

using namespace situation;

policy::Settings adaptive(int max_mpl = 4) {
    policy::Settings settings;
    settings.queue_discipline = "easy";
    settings.sizing = "adaptive";
    settings.max_mpl = max_mpl;
    return settings;
}

const auto ours = adaptive();
const policy::Sizes powers = {1, 2, 4, 8, 16};
const std::string coming = "waits for cores that are being freed\n";

policy::WaitingJob whole_nodes(policy::WaitingJob job) {
    job.whole_nodes = true;
    return job;
}

// Jobs 1 and 2 are of company 1, and on the first node.
policy::Snapshot in_company(policy::Snapshot snapshot) {
    snapshot.nodes[0].company = 1;
    for (policy::WaitingJob &job : snapshot.waiting)
        job.company = job.id.value <= 2;
    return snapshot;
}

const Row rows[] = {
    // How many processes.
    {"a long job has all that it accepts", ours, snapshot({16}, {}, {long_job(1, powers)}),
     "start 1: 16 on 1x16\n"},
    {"though others wait", ours, snapshot({16}, {}, {long_job(1, {4, 8}), long_job(2, powers)}),
     "start 1: 8 on 1x8\nstart 2: 16 on 1x8 mpl 2\n"},
    {"a short job alone on an idle machine has all that it accepts, too", ours,
     snapshot({16}, {}, {short_job(1, powers)}), "start 1: 16 on 1x16\n"},
    {"beside others it has its share of what is idle", ours,
     snapshot({16}, {running(1, {8})}, {short_job(2, powers), short_job(3, powers)}),
     "start 2: 4 on 1x4\nstart 3: 4 on 1x4\n"},
    {"or a quarter of the machine if that is more", ours,
     snapshot({16}, {running(1, {12})}, {short_job(2, powers)}), "start 2: 4 on 1x4\n"},
    {"or an equal share of it if more than four wait", ours,
     snapshot({18}, {running(1, {16})},
              {short_job(2, powers), short_job(3, powers), short_job(4, powers),
               short_job(5, powers), short_job(6, {8})}),
     "start 2: 2 on 1x2\nwait 3: waits for 1 core\nwait 4: waits for 1 core\n"
     "wait 5: waits for 1 core\nwait 6: waits for 8 cores\n"},
    {"its smallest size, be that above its share", ours,
     snapshot({16}, {running(1, {8})}, {short_job(2, {8, 16})}), "start 2: 8 on 1x8\n"},
    {"no more than could be freed for it", ours,
     snapshot({40}, {running(1, {39})}, {short_job(2, powers)}), "start 2: 4 on 1x1 mpl 4\n"},

    // Started folded.
    {"a long job starts on half of its cores", ours,
     snapshot({16}, {running(1, {8})}, {long_job(2, powers)}), "start 2: 16 on 1x8 mpl 2\n"},
    {"not on fewer", ours, snapshot({16}, {running(1, {9})}, {long_job(2, powers)}),
     "wait 2: waits for 8 cores\n"},
    {"nor on more than lower its MPL", ours,
     snapshot({16}, {running(1, {5})}, {long_job(2, powers)}), "start 2: 16 on 1x8 mpl 2\n"},
    {"not if no job may be folded", adaptive(1),
     snapshot({16}, {running(1, {8})}, {long_job(2, powers)}), "wait 2: waits for 16 cores\n"},
    {"nor if this one may not", ours,
     snapshot({16}, {running(1, {8})}, {at_most_mpl(1, long_job(2, powers))}),
     "wait 2: waits for 16 cores\n"},
    {"a short job on as few as the settings allow", adaptive(3),
     snapshot({40}, {running(1, {36})}, {short_job(2, {12})}), "start 2: 12 on 1x4 mpl 3\n"},
    {"on whole nodes: unfolded", ours,
     snapshot({16, 16}, {running(1, {16, 8})}, {whole_nodes(long_job(2, powers))}),
     "wait 2: waits for whole nodes\n"},
    {"a short job on whole nodes has all that it accepts", ours,
     snapshot({16, 16}, {running(1, {16})}, {whole_nodes(short_job(2, powers))}),
     "start 2: 16 on 1x16\n"},

    // On nodes that jobs of one company have to themselves.
    {"its company lets it in", ours,
     in_company(snapshot({16, 16}, {running(1, {8, 16})}, {long_job(2, {8})})),
     "start 2: 8 on 1x8\n"},
    {"others do not", ours,
     in_company(snapshot({16, 16}, {running(1, {8, 16})}, {short_job(3, {8})})),
     "wait 3: waits for 2 cores\n"},
    {"nor does it go to others", ours,
     in_company(snapshot({16, 16}, {running(1, {16, 8})}, {long_job(2, {8})})),
     "wait 2: waits for 4 cores\n"},
    {"nobody is on a node that anybody may have", ours,
     in_company(snapshot({16, 16}, {running(1, {16})}, {long_job(2, {8})})), "start 2: 8 on 1x8\n"},
    {"it folds its company", ours,
     in_company(snapshot({16}, {running_long(1, 16, {16})}, {short_job(2, {8})})),
     "resize 1: 0:8\nwait 2: " + coming},
    {"nobody folds for others", ours,
     in_company(snapshot({16}, {running_long(1, 16, {16})}, {short_job(3, {8})})),
     "wait 3: waits for 2 cores\n"},

    // Who is folded.
    {"nobody for a long job", ours,
     snapshot({16}, {running_long(1, 16, {16})}, {long_job(2, powers)}),
     "wait 2: waits for 8 cores\n"},
    {"a long job to a quarter for a short one", ours,
     snapshot({16}, {running_long(1, 32, {16})}, {short_job(2, {8})}),
     "resize 1: 0:11\nwait 2: " + coming},
    {"not deeper", ours, snapshot({16}, {running_long(1, 64, {16})}, {short_job(2, {8})}),
     "wait 2: waits for 2 cores\n"},
    {"no deeper than the short one needs", ours,
     snapshot({16}, {running_long(1, 16, {16})}, {short_job(2, powers)}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"that has lost a tenth of its time", ours,
     snapshot({16}, {lost(9, running_long(1, 16, {16}))}, {short_job(2, powers)}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"not one that has lost more", ours,
     snapshot({16}, {lost(10, running_long(1, 16, {16}))}, {short_job(2, powers)}),
     "wait 2: waits for 1 core\n"},
    {"another in its place", ours,
     snapshot({16}, {lost(10, running_long(1, 8, {8})), running_long(2, 8, {8})},
              {short_job(3, powers)}),
     "resize 2: 0:4\nwait 3: " + coming},
    {"a short job is folded for a short one, too", ours,
     snapshot({8}, {running_short(1, 8, {8})}, {short_job(2, powers)}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"only on the nodes that it starts on", ours,
     snapshot({8, 8}, {running_long(1, 8, {8}), running_long(2, 8, {0, 8})}, {short_job(3, {4})}),
     "resize 1: 0:4\nwait 3: " + coming},
    {"nobody while cores are coming", ours,
     snapshot({16}, {resizing(running_long(1, 16, {16}), {{{0}, 8}})}, {short_job(2, powers)}),
     "wait 2: " + coming},
    {"nobody who may not be", ours,
     snapshot({16}, {at_most_mpl(1, running_long(1, 16, {16}))}, {short_job(2, powers)}),
     "wait 2: waits for 1 core\n"},

    // Who grows.
    {"folded jobs grow beside a head that cannot use the cores", ours,
     snapshot({16}, {running_long(1, 8, {4}), running(2, {8})}, {long_job(3, {16})}),
     "wait 3: waits for 8 cores\nresize 1: 0:8\n"},
    {"not into what it will need when it starts", ours,
     snapshot({16}, {running_long(1, 8, {4}), running(2, {8}, 50)}, {rigid(3, 12)}),
     "wait 3: waits for 12 cores\n"},
    {"but for one that is to end by then", ours,
     snapshot({16}, {running_long(1, 8, {4}, 100), running(2, {8}, 50)}, {rigid(3, 16)}),
     "wait 3: waits for 16 cores\nresize 1: 0:8\n"},
    {"not one that is overdue while cores are coming for the head", ours,
     snapshot({16}, {running_long(1, 8, {4}, -10), resizing(running_long(2, 16, {8}), {{{0}, 4}})},
              {long_job(3, {16})}),
     "wait 3: " + coming},
    {"into what it will leave", ours,
     snapshot({16}, {running_long(1, 8, {4}), running(2, {8}, 50)}, {rigid(3, 8)}),
     "wait 3: waits for 8 cores\nresize 1: 0:8\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

START_TEST(growing_makes_room_for_nobody) {
    const auto decided = policy::decide(
        snapshot({16}, {running_long(1, 8, {4}), running(2, {8})}, {rigid(3, 8)}), ours);
    const auto *grown = std::get_if<policy::Resize>(&decided.back());
    ck_assert(grown && !grown->makes_room_for);
}
END_TEST

} // namespace

Suite *adaptive_suite() {
    Suite *suite = suite_of("adaptive", rows, decides);
    TCase *room = tcase_create("room");
    tcase_add_test(room, growing_makes_room_for_nobody);
    suite_add_tcase(suite, room);
    return suite;
}
