// SPDX-License-Identifier: GPL-2.0-or-later
//
// Windows of backfilled jobs: when they expire by each rule, and what each policy does then.
#include "table.hpp"

namespace {

using namespace situation;
using policy::WindowPolicy;
using policy::WindowRule;

policy::Settings windows(WindowPolicy window_policy, WindowRule rule = WindowRule::either) {
    policy::Settings settings;
    settings.window_policy = window_policy;
    settings.window_rule = rule;
    return settings;
}

const auto shrink = windows("shrink");
const auto by_clock = windows("shrink", WindowRule::clock);
const auto by_order = windows("shrink", WindowRule::order);
const auto requeue = windows("requeue");
const auto kill = windows("kill");
const auto suspend = windows("suspend");
const auto keep = windows("keep");

// Job 2 is the head; 3 and later are behind it.
policy::RunningJob behind(std::uint32_t id, int processes, std::vector<int> cores,
                          policy::Seconds window_ends_in = 50) {
    return backfilled(running_short(id, processes, std::move(cores), 500), window_ends_in);
}

policy::RunningJob not_resizable(policy::RunningJob job) {
    job.resizable = false;
    return job;
}

policy::RunningJob ending(policy::RunningJob job) {
    job.ending = true;
    return job;
}

const std::string nothing = "wait 2: waits for 6 cores\n";
const std::string coming = "wait 2: waits for cores that are being freed\n";
const auto head = long_job(2, {6, 8});

const Row rows[] = {
    // When.
    {"order: expires when all that runs is out of order", by_order,
     snapshot({8}, {behind(3, 4, {4})}, {head}), "resize 3: 0:1\n" + coming},
    {"order: not while a job that arrived before the head runs", by_order,
     snapshot({8}, {running(1, {4}), behind(3, 4, {4}, -1)}, {head}), nothing},
    {"order: a job that arrived with the head counts by its id", by_order, [] {
         auto tie = running(1, {1});
         tie.arrival = 2;
         return snapshot({8}, {tie, behind(3, 4, {4}, -1)}, {head});
     }(),
     nothing},
    {"order: a job on nodes of no use to the head does not count", by_order, [] {
         auto eligible_on_0 = head;
         eligible_on_0.eligible = {{0}};
         return snapshot({8, 8}, {running(1, {0, 8}), behind(3, 4, {4})},
                         {eligible_on_0, long_job(9, {8})});
     }(),
     "resize 3: 0:1\n" + coming + "wait 9: is behind job 2, only short jobs may pass\n"},
    {"a job on nodes of no use to the head is left alone", shrink, [] {
         auto eligible_on_0 = head;
         eligible_on_0.eligible = {{0}};
         return snapshot({8, 8}, {behind(3, 4, {4}), behind(4, 4, {0, 4})},
                         {eligible_on_0, long_job(9, {8})});
     }(),
     "resize 3: 0:1\n" + coming + "wait 9: is behind job 2, only short jobs may pass\n"},
    {"nobody makes room for a head that lacks something else than cores", by_order, [] {
         auto refused = head;
         refused.refused = true;
         return snapshot({8}, {behind(3, 4, {4})}, {refused});
     }(),
     "wait 2: was refused by the resource manager\n"},
    {"clock: expires at the end of the window", by_clock,
     snapshot({8}, {running(1, {1}), behind(3, 4, {4}, 0)}, {head}), "resize 3: 0:1\n" + coming},
    {"clock: not a second earlier, though all that runs is out of order", by_clock,
     snapshot({8}, {behind(3, 4, {4}, 1)}, {head}), nothing},
    {"either: by order", shrink, snapshot({8}, {behind(3, 4, {4}, 50)}, {head}),
     "resize 3: 0:1\n" + coming},
    {"either: by the clock", shrink, snapshot({8}, {running(1, {1}), behind(3, 4, {4}, 0)}, {head}),
     "resize 3: 0:1\n" + coming},
    {"either: neither yet", shrink, snapshot({8}, {running(1, {1}), behind(3, 4, {4}, 1)}, {head}),
     nothing},
    {"a job whose window is not known expires by order only", by_clock, [] {
         auto job = behind(3, 4, {4});
         job.window_end.reset();
         return snapshot({8}, {job}, {head});
     }(),
     nothing},

    // Who.
    {"the oldest first, and no more than needed", shrink,
     snapshot({12}, {behind(3, 4, {4}), behind(4, 4, {4})}, {long_job(2, {7})}),
     "resize 3: 0:1\nwait 2: waits for cores that are being freed\n"},
    {"the oldest is the one that started first", shrink, [] {
         auto older = behind(4, 4, {4});
         older.started = now - 500;
         return snapshot({12}, {behind(3, 4, {4}), older}, {long_job(2, {7})});
     }(),
     "resize 4: 0:1\nwait 2: waits for cores that are being freed\n"},
    {"both if both are needed", shrink,
     snapshot({12}, {behind(3, 4, {4}), behind(4, 4, {4})}, {long_job(2, {8})}),
     "resize 3: 0:1\nresize 4: 0:1\nwait 2: waits for cores that are being freed\n"},
    {"one that does not help is spared", shrink,
     snapshot({4, 8}, {behind(3, 4, {4}), behind(4, 4, {0, 4})}, {long_job(2, {7})}),
     "resize 4: 1:1\nwait 2: waits for cores that are being freed\n"},
    {"folded for nothing: nobody is", shrink,
     snapshot({8}, {behind(3, 4, {4})}, {long_job(2, {8})}), "wait 2: waits for 8 cores\n"},
    {"a job that did not ask is left alone", shrink,
     snapshot({8}, {backfilled(running(3, {4}), -10)}, {head}), nothing},
    {"a job that cannot be resized now is left alone", shrink,
     snapshot({8}, {not_resizable(behind(3, 4, {4}))}, {head}), nothing},
    {"a job that was not backfilled is left alone", shrink,
     snapshot({8}, {running_short(3, 4, {4})}, {head}), nothing},
    {"the head waits for short jobs anyway (FJT): nobody is folded", shrink,
     snapshot({8}, {running_short(1, 1, {1}), behind(3, 4, {4}, 0)}, {head}),
     "wait 2: waits for short jobs to end (FJT)\n"},
    {"a job on several nodes is folded on each", shrink, [] {
         auto wide = long_job(2, {12});
         wide.min_nodes = wide.max_nodes = 2;
         return snapshot({8, 8}, {behind(3, 8, {4, 4})}, {wide});
     }(),
     "resize 3: 0:1 1:1\nwait 2: waits for cores that are being freed\n"},
    {"odd numbers: enough cores for the window's MPL on each node", shrink, [] {
         auto wide = long_job(2, {6});
         wide.min_nodes = wide.max_nodes = 1;
         auto job = behind(3, 9, {5, 5});
         job.cores_per_process = 1;
         return snapshot({8, 8}, {job}, {wide});
     }(),
     "resize 3: 0:2 1:2\nwait 2: waits for cores that are being freed\n"},
    {"a head that is not virtually malleable is made room for, too", shrink,
     snapshot({8}, {behind(3, 4, {4})}, {rigid(2, 7)}), "resize 3: 0:1\n" + coming},
    {"maximum depth is a setting", [] {
         auto settings = shrink;
         settings.window_mpl = 2;
         return settings;
     }(),
     snapshot({8}, {behind(3, 4, {4})}, {head}), "resize 3: 0:2\n" + coming},

    // Under way.
    {"the fold is under way: nobody else is folded for the same need", shrink,
     snapshot({12}, {resizing(behind(3, 4, {4}), {{{0}, 1}}), behind(4, 4, {4})},
              {long_job(2, {7})}),
     "wait 2: waits for cores that are being freed\n"},
    {"the fold is under way: nobody is backfilled on the head's cores", shrink,
     snapshot({8}, {resizing(behind(3, 4, {4}), {{{0}, 1}})}, {head, short_job(4, {1, 2}, 100), rigid(5, 1, 100)}),
     coming + "start 4: 1 on 1x1 backfilled until 1 on node 0\nwait 5: would delay job 2\n"},
    {"requeue: nobody is backfilled on the head's cores, though others are to end soon", requeue,
     snapshot({8}, {behind(3, 2, {2}), running_short(4, 4, {4}, 1)},
              {long_job(2, {4}), short_job(5, {2})}),
     "requeue 3\n" + coming + "wait 5: would delay job 2\n"},
    {"the fold is confirmed: the head starts with what there is", shrink,
     snapshot({8}, {behind(3, 4, {1})}, {long_job(2, {6, 7, 8})}), "start 2: 7 on 1x7\n"},

    // How.
    {"requeue: gives everything back", requeue, snapshot({8}, {behind(3, 4, {4})}, {head}),
     "requeue 3\n" + coming},
    {"requeue: one that is under way is enough", requeue,
     snapshot({8}, {ending(behind(3, 4, {2})), behind(4, 4, {4})}, {long_job(2, {4})}), coming},
    {"requeue: a job that did not ask is left alone", requeue,
     snapshot({8}, {backfilled(running(3, {4}), -10)}, {head}), nothing},
    {"kill: gives everything back", kill, snapshot({8}, {behind(3, 4, {4})}, {head}),
     "kill 3\n" + coming},
    {"kill: no more than needed", kill,
     snapshot({12}, {behind(3, 4, {4}), behind(4, 4, {4})}, {long_job(2, {7})}), "kill 3\n" + coming},
    {"kill: not before the window has expired", kill,
     snapshot({8}, {running(1, {1}), behind(3, 4, {4}, 1)}, {head}), nothing},
    {"suspend: gives everything back", suspend, snapshot({8}, {behind(3, 4, {4})}, {head}),
     "suspend 3\n" + coming},
    {"suspend: one that is under way is enough", suspend,
     snapshot({8}, {ending(behind(3, 4, {2})), behind(4, 4, {4})}, {long_job(2, {4})}), coming},
    {"suspend: a job that cannot be resized now is left alone", suspend,
     snapshot({8}, {not_resizable(behind(3, 4, {4}))}, {head}), nothing},

    // What was suspended waits in the queue for its cores.
    {"suspended: the head starts before it, though it would fit", suspend,
     snapshot({8}, {}, {head, suspended(short_job(3, {4}), {4})}),
     "start 2: 8 on 1x8\nwait 3: waits for 4 cores\n"},
    {"suspended: resumed when its turn has come, before those that arrived later", suspend,
     snapshot({8}, {running(1, {4})}, {suspended(short_job(3, {4}), {4}), short_job(4, {4})}),
     "resume 3\nwait 4: waits for 4 cores\n"},
    {"suspended: on its own nodes only", suspend,
     snapshot({8, 8}, {running(1, {8})}, {suspended(short_job(3, {4}), {4})}),
     "wait 3: waits for 4 cores\n"},
    {"suspended: with its own cores only, folded or not", suspend,
     snapshot({8}, {running(1, {5})}, {suspended(long_job(3, {4}), {2})}), "resume 3\n"},
    {"suspended on two nodes: when both are free", suspend,
     snapshot({8, 8}, {running(1, {0, 5})}, {suspended(short_job(3, {8}), {4, 4})}),
     "wait 3: waits for 8 cores\n"},
    {"suspended: resumed behind the head if it does not delay it", suspend,
     snapshot({8}, {running(1, {4}, 100)}, {head, suspended(short_job(3, {4}, 100), {4})}),
     "wait 2: waits for 6 cores\nresume 3 backfilled until 100\n"},
    {"suspended: resumed behind the head on the few cores it was folded to", suspend,
     snapshot({8}, {running(1, {6}, 100)}, {head, suspended(short_job(3, {4}, 100), {2})}),
     "wait 2: waits for 6 cores\nresume 3 backfilled until 100\n"},
    {"suspended, as the head: nobody passes that would delay it", suspend,
     snapshot({8}, {running(1, {5}, 100)},
              {suspended(short_job(3, {4}), {4}), rigid(4, 3, 100), rigid(5, 3, 101)}),
     "wait 3: waits for 4 cores\nstart 4: 3 anyhow backfilled until 100\nwait 5: waits for 3 cores\n"},
    {"suspended, as the head: expired windows make room for it", suspend,
     snapshot({8}, {behind(4, 5, {5}, 0)}, {suspended(short_job(2, {4}), {4})}),
     "suspend 4\nwait 2: waits for cores that are being freed\n"},
    {"suspended: shares nothing with the queued jobs", suspend,
     snapshot({8}, {}, {short_job(1, {1, 2, 4, 8}), suspended(short_job(3, {4}), {4})}),
     "start 1: 8 on 1x8\nwait 3: waits for 4 cores\n"},
    {"suspended on a node that is not there any more", suspend,
     snapshot({8}, {}, {suspended(short_job(3, {4}), {0, 4})}), "wait 3: does not fit this machine\n"},
    {"suspended on a node that has become smaller", suspend,
     snapshot({2}, {}, {suspended(short_job(3, {4}), {4})}), "wait 3: does not fit this machine\n"},

    {"keep: nothing happens", keep, snapshot({8}, {behind(3, 4, {4}, -10)}, {head}), nothing},

    // Backfilling without a look at the clock.
    {"order: a short job is let in whatever its estimate, for expiry folds it", by_order,
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 8 cores\nstart 3: 4 on 1x4 backfilled until 100\n"},
    {"order, keep: not so", windows("keep", WindowRule::order),
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"order, but the window's MPL folds nobody: not so", [] {
         auto settings = by_order;
         settings.window_mpl = 1;
         return settings;
     }(),
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"order: a job that is not virtually malleable needs to fit the window", by_order,
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {8}), rigid(3, 4, 900)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},

    // The reservation counts on windows that will expire.
    {"a later job ends by the time when a backfilled one will be folded: backfilled", shrink,
     snapshot({8}, {running(1, {2}, 60), behind(3, 4, {4}, 60)}, {long_job(2, {7}), rigid(4, 2, 60)}),
     "wait 2: waits for 7 cores\nstart 4: 2 anyhow backfilled until 60\n"},
    {"a job that was not backfilled is not going to be folded: the head waits for its end", shrink,
     snapshot({8}, {running(1, {2}, 60), running_short(3, 4, {4}, 500)},
              {long_job(2, {7}), rigid(4, 2, 500)}),
     "wait 2: waits for 7 cores\nstart 4: 2 anyhow backfilled until 500\n"},
    {"a later job does not: waits, though the backfilled one is expected to run on", shrink,
     snapshot({8}, {running(1, {2}, 60), behind(3, 4, {4}, 60)}, {long_job(2, {7}), rigid(4, 2, 61)}),
     "wait 2: waits for 7 cores\nwait 4: would delay job 2\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

START_TEST(a_fold_says_that_the_window_has_expired) {
    const auto actions = policy::decide(snapshot({8}, {behind(3, 4, {4})}, {head}), by_order);
    ck_assert(std::get<policy::Resize>(actions.front()).why == policy::Cause::window);
}
END_TEST

} // namespace

Suite *window_suite() {
    Suite *suite = suite_of("windows", rows, decides);
    TCase *tests = tcase_create("telling");
    tcase_add_test(tests, a_fold_says_that_the_window_has_expired);
    suite_add_tcase(suite, tests);
    return suite;
}
