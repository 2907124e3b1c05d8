// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue disciplines other than those of the papers' systems: by estimate, conservative, and short
// jobs first behind the head.
#include "table.hpp"

namespace {

using namespace situation;
using policy::QueueDiscipline;

policy::Settings with(QueueDiscipline queue, policy::Sizing sizing = "rigid") {
    policy::Settings settings;
    settings.queue_discipline = queue;
    settings.sizing = sizing;
    return settings;
}

const auto sjf = with("sjf");
const auto ljf = with("ljf");
const auto conservative = with("conservative");
const auto moldable = with("conservative", "fjt");
const auto shortest_behind_head = [] {
    auto settings = with("easy");
    settings.backfill_order = policy::BackfillOrder::shortest;
    return settings;
}();

policy::WaitingJob promised(policy::WaitingJob job, policy::Seconds starts_in,
                            const policy::CoreCounts &allotment) {
    job.promise = policy::Promise{now + starts_in, job.sizes.largest(), allotment, allotment};
    return job;
}

policy::WaitingJob refused(policy::WaitingJob job, std::optional<policy::Seconds> starts_in = {}) {
    job.refused = true;
    if (starts_in)
        job.earliest_start = now + *starts_in;
    return job;
}

policy::WaitingJob on_nodes(policy::WaitingJob job, int count) {
    job.min_nodes = job.max_nodes = count;
    return job;
}

policy::RunningJob without_end(policy::RunningJob job) {
    job.expected_end = policy::never;
    return job;
}

const Row rows[] = {
    {"sjf: the shortest first, equals in order of the queue", sjf,
     snapshot({8}, {}, {rigid(1, 8, 300), rigid(2, 8, 100), rigid(3, 8, 100)}),
     "start 2: 8 anyhow\nwait 3: waits for 8 cores\n"},
    {"sjf: nobody passes the shortest", sjf,
     snapshot({8}, {running(1, {4})}, {rigid(2, 4, 300), rigid(3, 8, 100)}),
     "wait 3: waits for 8 cores\n"},
    {"ljf: the longest first", ljf,
     snapshot({8}, {}, {rigid(1, 4, 100), rigid(2, 4, 300), rigid(3, 4, 200)}),
     "start 2: 4 anyhow\nstart 3: 4 anyhow\nwait 1: waits for 4 cores\n"},
    {"easy, shortest first behind the head", shortest_behind_head,
     snapshot({8}, {running(1, {4})}, {rigid(2, 8, 10), rigid(3, 4, 90), rigid(4, 4, 20)}),
     "wait 2: waits for 8 cores\nstart 4: 4 anyhow backfilled until 100\n"
     "wait 3: waits for 4 cores\n"},

    {"conservative: a hole is for who leaves it in time", conservative,
     snapshot({8}, {running(1, {4})}, {rigid(2, 8), rigid(3, 4, 101), rigid(4, 4, 100)}),
     "wait 2: waits for 8 cores, promised 8 on 0:8 in 100\n"
     "wait 3: waits for its reserved start, promised 4 on 0:4 in 200\n"
     "start 4: 4 anyhow backfilled on node 0\n"},
    {"conservative: nobody is delayed, where easy looks after the head only", conservative,
     snapshot({8}, {running(1, {6})}, {rigid(2, 6), rigid(3, 8), rigid(4, 2, 250)}),
     "wait 2: waits for 6 cores, promised 6 on 0:6 in 100\n"
     "wait 3: waits for 8 cores, promised 8 on 0:8 in 200\n"
     "wait 4: waits for its reserved start, promised 2 on 0:2 in 300\n"},
    {"conservative: a job ended early, all move up", conservative,
     snapshot({8}, {running(1, {4}, 20)},
              {promised(rigid(2, 8), 100, {{{0}, 8}}), promised(rigid(3, 8), 200, {{{0}, 8}})}),
     "wait 2: waits for 8 cores, promised 8 on 0:8 in 20\n"
     "wait 3: waits for 8 cores, promised 8 on 0:8 in 120\n"},
    {"conservative: who moves up does not push a later job's promise back", conservative,
     snapshot(
         {8}, {running(1, {8}, 60)},
         {promised(rigid(2, 8, 50), 200, {{{0}, 8}}), promised(rigid(3, 8, 50), 100, {{{0}, 8}})}),
     "wait 2: waits for 8 cores, promised 8 on 0:8 in 150\n"
     "wait 3: waits for 8 cores, promised 8 on 0:8 in 60\n"},
    {"conservative: the promised start has come", conservative,
     snapshot({8}, {running(1, {4})}, {rigid(2, 8), promised(rigid(3, 4, 90), 0, {{{0}, 4}})}),
     "wait 2: waits for 8 cores, promised 8 on 0:8 in 100\nstart 3: 4 anyhow backfilled on node "
     "0\n"},
    {"conservative: a job outlasts its estimate, the promise cannot be kept", conservative,
     snapshot({8}, {running(1, {8}, 300)}, {promised(rigid(2, 8), 10, {{{0}, 8}})}),
     "wait 2: waits for 8 cores, promised 8 on 0:8 in 300\n"},
    {"conservative: a promise of a size that is no longer accepted is void", conservative,
     snapshot({8}, {running(1, {8}, 50)}, {[] {
                  auto job = promised(rigid(2, 4), 10, {{{0}, 4}});
                  job.promise->processes = 8;
                  return job;
              }()}),
     "wait 2: waits for 4 cores, promised 4 on 0:4 in 50\n"},
    {"conservative: a promise on a node that does not exist is void", conservative,
     snapshot({8}, {running(1, {8}, 50)}, {promised(rigid(2, 4), 10, {{{7}, 4}})}),
     "wait 2: waits for 4 cores, promised 4 on 0:4 in 50\n"},
    {"conservative: no promise if cores never come free", conservative,
     snapshot({8}, {without_end(running(1, {4}))}, {rigid(2, 8), rigid(3, 4, 1000)}),
     "wait 2: waits for 8 cores\nstart 3: 4 anyhow backfilled on node 0\n"},
    {"conservative: refused, nobody knows until when: holds nobody up", conservative,
     snapshot({8}, {}, {refused(promised(rigid(2, 8), 0, {{{0}, 8}})), rigid(3, 8)}),
     "wait 2: was refused by the resource manager, promised 8 on 0:8 in 0\n"
     "start 3: 8 anyhow backfilled on node 0\n"},
    {"conservative: refused until a known time", conservative,
     snapshot({8}, {}, {refused(rigid(2, 8), 50), rigid(3, 8), rigid(4, 8, 50)}),
     "wait 2: was refused by the resource manager, promised 8 on 0:8 in 50\n"
     "wait 3: waits for its reserved start, promised 8 on 0:8 in 150\n"
     "start 4: 8 anyhow backfilled on node 0\n"},
    {"conservative: node by node", conservative,
     snapshot({4, 4}, {running(1, {4, 0}, 50), running(2, {0, 4}, 100)},
              {on_nodes(rigid(3, 8), 2), rigid(4, 4, 50)}),
     "wait 3: waits for 8 cores, promised 8 on 0:4 1:4 in 100\n"
     "wait 4: waits for 4 cores, promised 4 on 0:4 in 50\n"},
    {"conservative: the largest of the sizes that start first", moldable,
     snapshot({8}, {running(1, {4})}, {short_job(2, {2, 4, 8}), long_job(3, {4, 8})}),
     "start 2: 4 on 1x4 on node 0\nwait 3: waits for 4 cores, promised 8 on 0:8 in 100\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *disciplines_suite() {
    return suite_of("other queue disciplines", rows, decides);
}
