// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory: nobody starts on a node that lacks it, and whom it keeps waiting has its reservation.
#include "policy/folding/mpl.hpp"
#include "policy/queue/discipline.hpp"
#include "policy/room/memory_per_core.hpp"
#include "policy/room/room.hpp"
#include "random_situation.hpp"
#include "table.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace {

using namespace situation;

policy::Settings settings_of(policy::QueueDiscipline queue, policy::Sizing sizing) {
    policy::Settings settings;
    settings.queue_discipline = queue;
    settings.sizing = sizing;
    settings.max_mpl = 4;
    return settings;
}

const auto easy = settings_of("easy", "rigid");
const auto conservative = settings_of("conservative", "rigid");
const auto least_work = settings_of("least-work", "rigid");

const auto equipartition = settings_of("equipartition", "rigid");

template <class Job>
Job needing(std::int64_t memory, Job job) {
    job.memory_per_process = memory;
    return job;
}

template <class Job>
Job needing_on_each_node(std::int64_t memory, Job job) {
    job.memory_per_node = memory;
    return job;
}

policy::WaitingJob on_nodes(int nodes, policy::WaitingJob job) {
    job.min_nodes = job.max_nodes = nodes;
    return job;
}

policy::WaitingJob on(std::vector<std::uint32_t> nodes, policy::WaitingJob job) {
    std::vector<policy::NodeIndex> eligible;
    for (const std::uint32_t node : nodes)
        eligible.push_back({node});
    job.eligible = policy::NodeSet(std::move(eligible));
    return job;
}

policy::WaitingJob of_cores(int cores_per_process, policy::WaitingJob job) {
    job.cores_per_process = cores_per_process;
    return job;
}

policy::RunningJob work_left(policy::Seconds seconds, policy::RunningJob job) {
    job.estimate = job.likely_work = now - job.started + seconds;
    return job;
}

// It has just come.
policy::WaitingJob never_folded(std::uint32_t id, int processes, policy::Seconds estimate) {
    policy::WaitingJob job = at_most_mpl(1, short_job(id, {processes}, estimate));
    job.arrival = now;
    return job;
}

policy::CoreCounts unfolded_of(const policy::RunningJob &job) {
    return job.virtually_malleable
               ? policy::unfolded_equally(job.processes, job.cores_per_process, job.allotment)
               : job.allotment;
}

// MiB on every node, free but for what the running jobs hold.
policy::Snapshot with_memory(std::int64_t memory, policy::Snapshot snapshot) {
    for (policy::Node &node : snapshot.nodes)
        node.memory = node.free_memory = memory;
    for (const policy::RunningJob &job : snapshot.running)
        for (const policy::NodeMemory &part : policy::memory_of(job, unfolded_of(job)))
            snapshot.nodes[part.node.value].free_memory -= part.memory;
    return snapshot;
}

const Row rows[] = {
    {"on nodes where it is not counted, jobs start whatever they need", easy,
     snapshot({4}, {}, {needing(1000, rigid(1, 4))}), "start 1: 4 anyhow\n"},
    {"jobs that need none start where it is counted", easy,
     with_memory(1, snapshot({4}, {}, {rigid(1, 4)})), "start 1: 4 anyhow\n"},
    {"a job that needs more than there is fits no state of the machine", easy,
     with_memory(7, snapshot({4}, {}, {needing(2, rigid(1, 4))})),
     "wait 1: does not fit this machine\n"},
    {"the others do not take the memory that the head waits for", easy,
     with_memory(8, snapshot({4}, {needing(6, running(1, {1}, 50))},
                             {needing(4, rigid(2, 2)), needing(1, rigid(3, 1, 50)),
                              needing(1, rigid(4, 1, 60))})),
     "wait 2: waits for 2 cores\nstart 3: 1 anyhow backfilled until 50\nwait 4: would delay job "
     "2\n"},
    {"what a job needs on each node goes by the nodes that it has", easy,
     with_memory(
         7, snapshot({4, 4}, {},
                     {needing_on_each_node(4, rigid(1, 6)), needing_on_each_node(3, rigid(2, 1)),
                      needing_on_each_node(1, rigid(3, 1))})),
     "start 1: 6 anyhow\nstart 2: 1 anyhow\nwait 3: waits for 1 core\n"},
    {"and is beside what its processes need", easy,
     with_memory(7, snapshot({8}, {},
                             {needing(1, needing_on_each_node(5, rigid(1, 3))),
                              needing(1, needing_on_each_node(5, rigid(2, 2)))})),
     "start 2: 2 anyhow\nwait 1: does not fit this machine\n"},
    {"it comes free where the job ends", conservative,
     with_memory(7, snapshot({4, 4}, {needing_on_each_node(4, running(1, {1, 1}, 50))},
                             {needing_on_each_node(4, rigid(2, 5))})),
     "wait 2: waits for 5 cores, promised 5 on 0:4 1:1 in 50\n"},
    {"a promise is of memory, too", conservative,
     with_memory(8, snapshot({4}, {needing(6, running(1, {1}, 50))}, {needing(4, rigid(2, 2))})),
     "wait 2: waits for 2 cores, promised 2 on 0:2 in 50\n"},
    {"a job is folded for another where there is memory for both", least_work,
     with_memory(
         8, snapshot({4}, {needing(1, running_long(1, 4, {4}))}, {needing(1, long_job(2, {4}))})),
     "resize 1: 0:2\nwait 2: waits for cores that are being freed\n"},
    {"who passes leaves the memory that is reserved", least_work,
     with_memory(8, snapshot({8}, {needing(6, running(1, {1}, 50))},
                             {needing(7, rigid(2, 1)), needing(1, rigid(3, 1, 60)),
                              needing(1, rigid(4, 1, 60))})),
     "start 3: 1 anyhow on node 0\nwait 4: would delay job 2\nwait 2: waits for 1 core\n"},
    {"which somebody who starts now has until its end", least_work,
     with_memory(8,
                 snapshot({8}, {},
                          {needing(4, never_folded(1, 1, 13)), needing(4, never_folded(2, 2, 10)),
                           needing(1, never_folded(3, 2, 12))})),
     "start 1: 1 on 1x1 on node 0\nwait 2: waits for 2 cores\nstart 3: 2 on 1x2 backfilled on node "
     "0\n"},
    {"a job does not start folded that soon has cores and memory where another ends", least_work,
     with_memory(8, snapshot({4, 4, 4, 4, 4, 4},
                             {running(1, {1, 3, 0, 0, 4, 4}, 1000),
                              needing(2, running(2, {0, 0, 4, 4}, 120))},
                             {needing(1, anyhow(short_job(3, {6})))})),
     "wait 3: waits for 6 cores\n"},
    {"nor where one ends that can be folded itself", least_work,
     with_memory(8, snapshot({4, 4, 4, 4, 4, 4},
                             {running(1, {1, 3, 0, 0, 4, 4}, 1000),
                              needing(2, work_left(120, running_long(2, 8, {0, 0, 4, 4})))},
                             {needing(1, anyhow(short_job(3, {6})))})),
     "wait 3: waits for 6 cores\n"},
    {"but one that has neither for long does", least_work,
     with_memory(8, snapshot({4, 4, 4, 4, 4, 4},
                             {running(1, {1, 3, 0, 0, 4, 4}, 1000),
                              needing(2, running(2, {0, 0, 4, 4}, 1000))},
                             {needing(1, anyhow(short_job(3, {6})))})),
     "start 3: 6 on 0:2 1:1 mpl 2 on nodes 0,1\n"},
    {"whatever those need who wait for other nodes", least_work,
     with_memory(8, snapshot({4, 4, 4, 4, 4, 4, 4},
                             {running(1, {1, 3, 0, 0, 4, 4}, 1000),
                              needing(2, running(2, {0, 0, 4, 4}, 1000))},
                             {needing(8, on({6}, rigid(9, 1))),
                              needing(1, on({0, 1, 2, 3, 4, 5}, anyhow(short_job(3, {6}))))})),
     "start 9: 1 anyhow on node 6\nstart 3: 6 on 0:2 1:1 mpl 2 on nodes 0,1\n"},
    {"nor one beside which nobody would have memory", least_work,
     with_memory(8, snapshot({4, 4, 4, 4, 4, 4},
                             {running(1, {1, 3, 0, 0, 4, 4}, 1000),
                              needing(2, running(2, {0, 0, 4, 4}, 1000))},
                             {needing(2, anyhow(short_job(3, {6})))})),
     "wait 3: waits for 2 cores\n"},
    {"nobody waits behind one that has no memory where a node is shared out", equipartition,
     with_memory(8, snapshot({8}, {needing(1, running_long(1, 6, {6}))},
                             {needing(2, long_job(2, {2})), needing(1, long_job(3, {2}))})),
     "wait 2: waits for memory\nstart 3: 2 on 1x2 on node 0\n"},
    {"whatever other nodes have", equipartition,
     with_memory(8,
                 snapshot({8, 8}, {needing(1, running_long(1, 6, {6}))},
                          {needing(2, on({0}, long_job(2, {2}))),
                           needing(1, on({0}, long_job(3, {2}))), needing(1, long_job(4, {2}))})),
     "wait 2: waits for memory\nstart 3: 2 on 1x2 on node 0\nstart 4: 2 on 1x2 on node 1\n"},
    {"nobody is folded for a job that would have no memory", least_work,
     with_memory(
         7, snapshot({4}, {needing(1, running_long(1, 4, {4}))}, {needing(1, long_job(2, {4}))})),
     "wait 2: waits for 1 core\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

// Nodes and jobs of any kind.
policy::Snapshot random_snapshot(std::uint32_t seed) {
    policy::Snapshot snapshot = RandomSituation(seed).snapshot();
    for (policy::RunningJob &job : snapshot.running)
        job.memory_per_process = (seed + job.id.value) % 3;
    for (policy::WaitingJob &job : snapshot.waiting) {
        job.memory_per_process = (seed / 3 + job.id.value) % 4;
        job.memory_per_node = (seed / 5 + job.id.value) % 3;
    }
    snapshot = with_memory(0, std::move(snapshot));
    for (policy::Node &node : snapshot.nodes) {
        node.free_memory = seed % 11;
        node.memory = node.free_memory + 20;
    }
    return snapshot;
}

// Of every discipline. Resizes neither need nor give any.
START_TEST(never_more_memory_than_free) {
    int starts = 0;
    for (std::uint32_t seed = 0; seed < random_snapshots; seed++) {
        policy::Settings settings = RandomSituation(seed).settings();
        const auto &disciplines = policy::rows<policy::Discipline>();
        settings.queue_discipline = disciplines[seed % disciplines.size()];
        const policy::Snapshot snapshot = random_snapshot(seed);
        std::map<std::uint32_t, std::int64_t> taken;
        for (const policy::Action &action : policy::decide(snapshot, settings)) {
            const auto *start = std::get_if<policy::Start>(&action);
            if (!start)
                continue;
            const auto job = std::find_if(snapshot.waiting.begin(), snapshot.waiting.end(),
                                          [&](const auto &one) { return one.id == start->id; });
            for (const auto &part : policy::memory_of(*job, start->unfolded))
                taken[part.node.value] += part.memory;
            starts++;
        }
        for (const auto &[node, memory] : taken)
            ck_assert_msg(memory <= snapshot.nodes[node].free_memory, "seed %u, %s: node %u", seed,
                          settings.queue_discipline->name, node);
    }
    ck_assert_int_gt(starts, random_snapshots / 8);
}
END_TEST

// Of 100 MiB for each core of a node, what is needed beside jobs that need as much as that.
struct Beside {
    const char *what;
    policy::Snapshot snapshot;
    double most;
};

const Beside beside[] = {
    {"jobs of one core and three",
     with_memory(400, snapshot({4}, {needing(80, running(1, {1}))}, {needing(40, rigid(2, 3))})),
     50},
    {"a job on two nodes",
     with_memory(400, snapshot({4, 4}, {needing_on_each_node(40, running(1, {2, 2}))}, {})), 80},
    {"one that waits for two nodes",
     with_memory(400, snapshot({4, 4}, {}, {needing_on_each_node(40, on_nodes(2, rigid(1, 4)))})),
     80},
    {"processes of two cores",
     with_memory(400, snapshot({4}, {}, {needing(80, of_cores(2, long_job(1, {2})))})), 60},
    {"jobs that have none for each other",
     with_memory(400, snapshot({4}, {needing(51, running(1, {1}))}, {})), 0},
    {"nodes whose memory is not counted", snapshot({4}, {needing(80, running(1, {1}))}, {}), 1000},
    {"nobody", with_memory(400, snapshot({4}, {}, {})), 100},
};

START_TEST(memory_is_left_for_the_mean) {
    const Beside &row = beside[_i];
    const policy::MemoryPerCore memory = policy::memory_per_core(row.snapshot);
    ck_assert_msg(memory.is_left_beside(row.most), "%s", row.what);
    ck_assert_msg(memory.is_left_beside(row.most + 1) == (row.most == 1000), "%s", row.what);
    ck_assert_msg(memory.is_left_beside(0), "%s", row.what);
}
END_TEST

} // namespace

Suite *memory_suite() {
    Suite *suite = suite_of("memory", rows, decides);
    TCase *random = tcase_create("random snapshots");
    tcase_add_test(random, never_more_memory_than_free);
    suite_add_tcase(suite, random);
    TCase *means = tcase_create("means");
    tcase_add_loop_test(means, memory_is_left_for_the_mean, 0, std::size(beside));
    suite_add_tcase(suite, means);
    return suite;
}
