// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding by job type: every branch of thesis figure 5.5.
#include "table.hpp"

namespace {

using namespace situation;

policy::Settings fjt(int max_mpl) {
    policy::Settings settings;
    settings.queue_discipline = "fcfs";
    settings.max_mpl = max_mpl;
    return settings;
}

const auto fjt4 = fjt(4);
const auto moldable = fjt(1);
const policy::Sizes any = {1, 2, 3, 4, 5, 6, 7, 8};
const policy::Sizes powers = {2, 4, 8};

const Row rows[] = {
    // First job short.
    {"short, idle cores: executes",
     fjt4, snapshot({8}, {running_long(1, 5, {5})}, {short_job(2, any)}),
     "start 2: 3 on 1x3\n"},
    {"short, no idle core, a long job unfolded: folds it as deep as the short one has use for",
     fjt4, snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, any)}),
     "resize 1: 0:2\nwait 2: waits for cores that are being freed\n"},
    {"short, no idle core, a long job unfolded: folds it no deeper than needed",
     fjt4, snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, {1, 2, 3, 4})}),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},
    {"short, no idle core, a long job folded, but not to the maximum: folds it further",
     fjt4, snapshot({8}, {running_short(1, 4, {4}), running_long(2, 8, {4})}, {short_job(3, any)}),
     "resize 2: 0:2\nwait 3: waits for cores that are being freed\n"},
    {"short, no idle core, two long jobs: folds them evenly",
     fjt4, snapshot({8}, {running_long(1, 4, {4}), running_long(2, 4, {4})}, {short_job(3, {4})}),
     "resize 1: 0:2\nresize 2: 0:2\nwait 3: waits for cores that are being freed\n"},
    {"short, a fold is under way: waits for it and folds nobody else",
     fjt4, snapshot({8}, {resizing(running_long(1, 4, {4}), {{{0}, 2}}), running_long(2, 4, {4})},
                      {short_job(3, any)}),
     "wait 3: waits for cores that are being freed\n"},
    {"short, no idle core, the long job is folded to the maximum: waits",
     fjt4, snapshot({4}, {running_short(1, 2, {2}), running_long(2, 8, {2})}, {short_job(3, any)}),
     "wait 3: waits for 1 core\n"},
    {"short, no idle core, the long job cannot be resized: waits",
     fjt4, [] {
         auto job = running_long(1, 8, {8});
         job.resizable = false;
         return snapshot({8}, {job}, {short_job(2, any)});
     }(),
     "wait 2: waits for 1 core\n"},
    {"short, no idle core, only short jobs run: waits",
     fjt4, snapshot({8}, {running_short(1, 8, {8})}, {short_job(2, any)}),
     "wait 2: waits for 1 core\n"},
    {"short, folding long jobs would not be enough: nobody is folded",
     fjt4, snapshot({8}, {running_short(1, 6, {6}), running_long(2, 2, {2})}, {short_job(3, {4})}),
     "wait 3: waits for 4 cores\n"},

    // First job long, no other long one queued.
    {"long, none other queued, short jobs run: waits",
     fjt4, snapshot({8}, {running_short(1, 4, {4})}, {long_job(2, powers)}),
     "wait 2: waits for short jobs to end (FJT)\n"},
    {"long, none other queued, a short job started that arrived later: does not wait for it",
     fjt4, snapshot({8}, {running_short(3, 4, {4})}, {long_job(2, powers)}),
     "start 2: 8 on 1x4 mpl 2\n"},
    {"long, none other queued, a short job is ending: does not wait for it",
     fjt4, [] {
         auto job = running_short(1, 4, {4});
         job.ending = true;
         return snapshot({8}, {job}, {long_job(2, powers)});
     }(),
     "start 2: 8 on 1x4 mpl 2\n"},
    {"long, none other queued, no short job, idle cores: executes folded",
     fjt4, snapshot({8}, {running_long(1, 6, {6})}, {long_job(2, powers)}),
     "start 2: 8 on 1x2 mpl 4\n"},
    {"long, alone on the machine: unfolded, for it can never have more cores",
     fjt4, snapshot({8}, {}, {long_job(2, {4, 8, 16, 32})}),
     "start 2: 8 on 1x8\n"},
    {"long, none other queued, no idle core, a long job unfolded: folds it",
     fjt4, snapshot({8}, {running_long(1, 8, {8})}, {long_job(2, powers)}),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},
    {"long, that fold is confirmed: executes folded",
     fjt4, snapshot({8}, {running_long(1, 8, {4})}, {long_job(2, powers)}),
     "start 2: 8 on 1x4 mpl 2\n"},
    {"long, none other queued, no idle core, the long job is folded already: waits",
     fjt4, snapshot({4}, {running_long(1, 8, {4})}, {long_job(2, powers)}),
     "wait 2: waits for 2 cores\n"},
    {"long, short jobs behind it do not share the cores with it",
     fjt4, snapshot({8}, {running_long(1, 4, {4})},
                      {long_job(2, powers), short_job(3, {1, 8}), short_job(4, {8})}),
     "start 2: 8 on 1x4 mpl 2\nresize 1: 0:2\nwait 3: waits for cores that are being freed\n"},

    // First job long, other long ones queued.
    {"long, another queued, idle cores: executes unfolded with its share",
     fjt4, snapshot({8}, {running_long(1, 4, {4})}, {long_job(2, any), long_job(3, {8})}),
     "start 2: 2 on 1x2\nstart 3: 8 on 1x2 mpl 4\n"},
    {"long, another queued, idle cores, short jobs run: executes unfolded",
     fjt4, snapshot({8}, {running_short(1, 4, {4})}, {long_job(2, any), long_job(3, {8})}),
     "start 2: 2 on 1x2\nwait 3: waits for short jobs to end (FJT)\n"},
    {"long, another queued, no idle core, a long job unfolded: folds it",
     fjt4, snapshot({8}, {running_long(1, 8, {8})}, {long_job(2, any), long_job(3, any)}),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},
    {"long, another queued, no idle core, no long job runs: waits",
     fjt4, snapshot({8}, {running_short(1, 8, {8})}, {long_job(2, any), long_job(3, any)}),
     "wait 2: waits for 1 core\n"},
    {"long, another queued, no idle core, the long job is folded already: waits",
     fjt4, snapshot({4}, {running_long(1, 8, {4})}, {long_job(2, any), long_job(3, any)}),
     "wait 2: waits for 1 core\n"},

    // How many processes.
    {"only short jobs queued: equipartition among all of them",
     fjt4, snapshot({8}, {}, {short_job(2, any), short_job(3, any), short_job(4, any)}),
     "start 2: 2 on 1x2\nstart 3: 3 on 1x3\nstart 4: 3 on 1x3\n"},
    {"jobs that are not virtually malleable are not counted among the sharers",
     fjt4, snapshot({8}, {}, {short_job(2, powers), rigid(3, 4)}),
     "start 2: 8 on 1x8\nwait 3: waits for 4 cores\n"},
    {"the largest accepted size within the share",
     fjt4, snapshot({8}, {running_long(1, 1, {1})}, {short_job(2, {1, 4, 9})}),
     "start 2: 4 on 1x4\n"},
    {"the smallest accepted size if the share is less",
     fjt4, snapshot({8}, {}, {short_job(2, {6}), short_job(3, any), short_job(4, any)}),
     "start 2: 6 on 1x6\nstart 3: 1 on 1x1\nstart 4: 1 on 1x1\n"},
    {"two cores for each process",
     fjt4, [] {
         auto job = short_job(2, any);
         job.cores_per_process = 2;
         return snapshot({8}, {running_long(1, 3, {3})}, {job});
     }(),
     "start 2: 2 on 1x4\n"},
    {"two cores for each process: folded to whole places",
     fjt4, [] {
         auto job = running_long(1, 3, {6});
         job.cores_per_process = 2;
         return snapshot({6}, {job}, {short_job(2, {2})});
     }(),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},
    {"two nodes: equal cores on both, as many as the fuller one has free",
     fjt4, [] {
         auto job = short_job(2, {2, 4, 6, 8, 16});
         job.min_nodes = job.max_nodes = 2;
         return snapshot({8, 8}, {running_long(1, 5, {5})}, {job});
     }(),
     "start 2: 6 on 2x3\n"},
    {"two nodes, no idle core: a long job is folded on both",
     fjt4, [] {
         auto job = short_job(2, {2, 4});
         job.min_nodes = job.max_nodes = 2;
         return snapshot({4, 4}, {running_long(1, 8, {4, 4})}, {job});
     }(),
     "resize 1: 0:2 1:2\nwait 2: waits for cores that are being freed\n"},
    {"long jobs on nodes of no use to the first one are not folded",
     fjt4, [] {
         auto job = short_job(3, {2});
         job.eligible = {{1}};
         return snapshot({4, 4}, {running_long(1, 4, {4}), running_long(2, 4, {0, 4})}, {job});
     }(),
     "resize 2: 1:2\nwait 3: waits for cores that are being freed\n"},
    {"long jobs whose cores turn out not to help are not folded",
     fjt4, snapshot({2, 8}, {running_long(1, 2, {2}), running_long(2, 8, {0, 8})}, {short_job(3, {4})}),
     "resize 2: 1:4\nwait 3: waits for cores that are being freed\n"},

    {"whole nodes: as many processes as they have cores, for nobody else could use them",
     fjt4, [] {
         auto job = short_job(2, any);
         job.whole_nodes = true;
         return snapshot({8}, {}, {job, short_job(3, any)});
     }(),
     "start 2: 8 on 1x8\nwait 3: waits for 1 core\n"},
    {"whole nodes: a long job does not start folded, for it cannot grow on them",
     fjt4, [] {
         auto job = long_job(2, any);
         job.whole_nodes = true;
         return snapshot({8, 4}, {running_long(1, 1, {1})}, {job});
     }(),
     "start 2: 4 on 1x4\n"},
    {"short, two long jobs of the same depth: the one that arrived first is folded first",
     fjt4, [] {
         auto first = running_long(2, 4, {4});
         first.arrival = 0;
         return snapshot({8}, {running_long(1, 4, {4}), first}, {short_job(3, {2})});
     }(),
     "resize 2: 0:2\nwait 3: waits for cores that are being freed\n"},

    // Others, and a maximum MPL of 1.
    {"a job that is not virtually malleable folds nobody",
     fjt4, snapshot({8}, {running_long(1, 8, {8})}, {rigid(2, 1)}),
     "wait 2: waits for 1 core\n"},
    {"moldable only: a long job does not start folded",
     moldable, snapshot({8}, {running_long(1, 5, {5})}, {long_job(2, powers)}),
     "start 2: 2 on 1x2\n"},
    {"moldable only: nobody is folded for a short job",
     moldable, snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, any)}),
     "wait 2: waits for 1 core\n"},
    {"moldable only: nobody is folded for a long job",
     moldable, snapshot({8}, {running_long(1, 8, {8})}, {long_job(2, any)}),
     "wait 2: waits for 1 core\n"},
    {"maximum MPL 2: folds no deeper",
     fjt(2), snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, any)}),
     "resize 1: 0:4\nwait 2: waits for cores that are being freed\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *fjt_suite() {
    return suite_of("FJT", rows, decides);
}
