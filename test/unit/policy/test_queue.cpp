// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue disciplines: first come first served, and backfilling that does not delay the head, node by
// node.
#include "table.hpp"

#include <limits>

namespace {

using namespace situation;

policy::Settings with(policy::QueueDiscipline queue) {
    policy::Settings settings;
    settings.queue_discipline = queue;
    return settings;
}

const auto fcfs = with("fcfs");
const auto easy = with("easy");
const auto rigid_sizes = [] {
    auto settings = easy;
    settings.sizing = "rigid";
    return settings;
}();
const auto beside_slurm = [] {
    auto settings = easy;
    settings.only_malleable_pools = true;
    return settings;
}();
const auto keep = [] {
    auto settings = easy;
    settings.window_policy = "keep";
    return settings;
}();

policy::WaitingJob spanning(policy::WaitingJob job, int min_nodes, int max_nodes) {
    job.min_nodes = min_nodes;
    job.max_nodes = max_nodes;
    return job;
}

policy::WaitingJob only_on(policy::WaitingJob job, std::vector<policy::NodeIndex> eligible) {
    job.eligible = std::move(eligible);
    return job;
}

policy::WaitingJob whole(policy::WaitingJob job) {
    job.whole_nodes = true;
    return job;
}

policy::WaitingJob refused(policy::WaitingJob job, std::optional<policy::Seconds> until = {}) {
    job.refused = true;
    if (until)
        job.earliest_start = now + *until;
    return job;
}

policy::Snapshot with_node_down(policy::Snapshot snapshot, std::size_t node) {
    snapshot.nodes[node].free = 0;
    return snapshot;
}

const Row rows[] = {
    {"fcfs: several start while they fit, nobody passes the first that does not", fcfs,
     snapshot({8}, {}, {rigid(1, 4), rigid(2, 2), rigid(3, 4), rigid(4, 1)}),
     "start 1: 4 anyhow\nstart 2: 2 anyhow\nwait 3: waits for 4 cores\n"},
    {"nothing waits and nobody is folded: nothing to do", easy,
     snapshot({8}, {running(1, {4})}, {}), ""},

    // What Slurm schedules.
    {"nobody is virtually malleable: somebody else decides", beside_slurm,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 2), rigid(3, 8)}), ""},
    {"only the nodes that a virtually malleable job waits for", beside_slurm,
     snapshot({4, 4}, {}, {only_on(rigid(1, 2), {{0}}), only_on(short_job(2, {2}), {{1}})}),
     "start 2: 2 on 1x2\n"},
    {"an ordinary job that shares nodes with one that runs is scheduled with it", beside_slurm,
     snapshot({4, 4}, {running(1, {2}), running_short(2, 2, {0, 2})},
              {only_on(rigid(3, 2), {{0}}), only_on(rigid(4, 2), {{1}})}),
     "start 4: 2 anyhow\n"},

    // EASY for jobs that are not virtually malleable.
    {"ends by the head's reserved start: backfilled", easy,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8), rigid(3, 4, 100)}),
     "wait 2: waits for 8 cores\nstart 3: 4 anyhow backfilled until 100\n"},
    {"ends a second after the head's reserved start: waits", easy,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8), rigid(3, 4, 101)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"outlasts the reserved start on cores the head leaves: backfilled, on that node", easy,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 6), rigid(3, 2, 900), rigid(4, 1, 900)}),
     "wait 2: waits for 6 cores\nstart 3: 2 anyhow backfilled until 100 on node 0\n"
     "wait 4: would delay job 2\n"},
    {"any spread will do for a job without a limit of nodes",
     easy,
     snapshot({4, 4}, {running(1, {2, 2}, 100)}, {rigid(2, 4), rigid(3, 2, 900)}),
     "start 2: 4 anyhow\nwait 3: waits for 2 cores\n"},
    {"the head needs one node: it waits although two have enough cores together", easy,
     snapshot({4, 4}, {running(1, {2}, 100), running(2, {0, 2}, 500)},
              {spanning(rigid(3, 4), 1, 1), rigid(4, 2, 900), rigid(5, 2, 900)}),
     "wait 3: waits for 4 cores\nstart 4: 2 anyhow backfilled until 100 on node 1\n"
     "wait 5: would delay job 3\n"},
    {"an outlasting job may spread over nodes the head needs nothing of, only", easy,
     snapshot({4, 4, 4}, {running(1, {2}, 100), running(2, {0, 2}, 500), running(3, {0, 0, 2}, 500)},
              {spanning(rigid(4, 4), 1, 1), rigid(5, 4, 900), rigid(6, 2, 900)}),
     "wait 4: waits for 4 cores\nstart 5: 4 anyhow backfilled until 100 on nodes 1,2\n"
     "wait 6: would delay job 4\n"},
    {"of several nodes the fullest that suffices, to keep large holes large", easy,
     snapshot({8, 4, 3}, {running(1, {4}, 100)}, {spanning(rigid(2, 8), 1, 1), rigid(3, 2, 900)}),
     "wait 2: waits for 8 cores\nstart 3: 2 anyhow backfilled until 100 on node 2\n"},
    {"the estimate counts, not the time limit", easy,
     snapshot({8}, {running(1, {4}, 100)}, [] {
         auto job = rigid(3, 4, 50);
         job.time_limit = 5000;
         return std::vector<policy::WaitingJob>{rigid(2, 8), job};
     }()),
     "wait 2: waits for 8 cores\nstart 3: 4 anyhow backfilled until 100\n"},
    {"a running job past its expected end may end any moment", easy,
     snapshot({8}, {running(1, {4}, -50)}, {rigid(2, 8), rigid(3, 4, 2)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"cores of a job that is ending are as good as the head's", easy, [] {
         auto job = running(1, {4}, 5000);
         job.ending = true;
         return snapshot({8}, {job}, {rigid(2, 8), rigid(3, 4, 2)});
     }(),
     "wait 2: waits for cores that are being freed\nwait 3: would delay job 2\n"},
    {"the head starts when the second of three jobs ends", easy,
     snapshot({8}, {running(1, {2}, 50), running(2, {2}, 100), running(3, {2}, 200)},
              {rigid(4, 6), rigid(5, 2, 100), rigid(6, 1, 101)}),
     "wait 4: waits for 6 cores\nstart 5: 2 anyhow backfilled until 100\n"
     "wait 6: waits for 1 core\n"},
    {"a node that is down keeps the head from starting: nobody can delay it", easy,
     with_node_down(snapshot({4, 4}, {running(1, {2}, 100)}, {rigid(2, 8), rigid(3, 2, 9000)}), 1),
     "wait 2: waits for 8 cores\nstart 3: 2 anyhow backfilled\n"},
    {"a running job without a time limit: nobody can delay a head that waits for it", easy,
     [] {
         auto job = running(1, {4});
         job.expected_end = std::numeric_limits<policy::Seconds>::max();
         return snapshot({8}, {job}, {rigid(2, 8), rigid(3, 4, 9000)});
     }(),
     "wait 2: waits for 8 cores\nstart 3: 4 anyhow backfilled\n"},

    {"FJT waits for a short job without a time limit: nobody can delay the long one", easy,
     [] {
         auto job = running_short(1, 2, {2});
         job.expected_end = std::numeric_limits<policy::Seconds>::max();
         return snapshot({8}, {job}, {long_job(2, {4}), rigid(3, 6, 9000)});
     }(),
     "wait 2: waits for short jobs to end (FJT)\nstart 3: 6 anyhow backfilled\n"},

    // Shapes.
    {"whole nodes: one core in use is one too many", easy,
     snapshot({4, 4}, {running(1, {1}, 100)},
              {whole(spanning(rigid(2, 2), 2, 2)), whole(rigid(3, 1, 100)), rigid(4, 1, 100)}),
     "wait 2: waits for whole nodes\nstart 3: 1 anyhow backfilled until 100\n"
     "start 4: 1 anyhow backfilled until 100\n"},
    {"whole nodes take all of them", easy,
     snapshot({4}, {}, {whole(rigid(1, 1)), rigid(2, 1)}),
     "start 1: 1 anyhow\nwait 2: waits for 1 core\n"},
    {"a spread job needs a core on each of its nodes", easy,
     snapshot({4, 4, 4}, {running(1, {4}, 100)}, {spanning(rigid(2, 4), 3, 3)}),
     "wait 2: waits for 4 cores\n"},
    {"eligible nodes are full: waits, though others are free", easy,
     snapshot({4, 4}, {running(1, {4})}, {only_on(rigid(2, 2), {{0}})}),
     "wait 2: waits for 2 cores\n"},
    {"a job that does not fit this machine is nobody's head", easy,
     snapshot({4, 4}, {}, {rigid(1, 9), rigid(2, 8)}),
     "start 2: 8 anyhow\nwait 1: does not fit this machine\n"},
    {"jobs for other nodes have their own head", fcfs,
     snapshot({4, 4}, {running(1, {4})},
              {only_on(rigid(2, 4), {{0}}), only_on(long_job(3, {4}), {{1}})}),
     "wait 2: waits for 4 cores\nstart 3: 4 on 1x4\n"},
    {"one that may use both makes it one queue", fcfs,
     snapshot({4, 4}, {running(1, {4})},
              {only_on(rigid(2, 4), {{0}}), only_on(rigid(3, 4), {{1}}), rigid(4, 1)}),
     "wait 2: waits for 4 cores\n"},

    {"a running job on two nodes is known to those who wait for one of them", easy,
     snapshot({4, 4}, {running(1, {4, 2}, 100)},
              {only_on(rigid(2, 4), {{1}}), only_on(rigid(3, 2, 100), {{1}})}),
     "wait 2: waits for 4 cores\nstart 3: 2 anyhow backfilled until 100\n"},

    // Refused by the resource manager.
    {"refused, nobody knows how long: others keep off its cores, however short they are",
     easy, snapshot({8}, {}, {refused(rigid(1, 6)), rigid(2, 4, 1), rigid(3, 2, 9000)}),
     "wait 1: was refused by the resource manager\nwait 2: would delay job 1\n"
     "start 3: 2 anyhow backfilled on node 0\n"},
    {"refused until a time: others may use its cores until then", easy,
     snapshot({8}, {}, {refused(rigid(1, 6), 60), rigid(2, 4, 60), rigid(3, 4, 61)}),
     "wait 1: was refused by the resource manager\nstart 2: 4 anyhow backfilled until 60\n"
     "wait 3: would delay job 1\n"},
    {"refused, fcfs: everybody waits", fcfs,
     snapshot({8}, {}, {refused(rigid(1, 2)), rigid(2, 2)}),
     "wait 1: was refused by the resource manager\n"},
    {"a refused job is not backfilled", easy,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8), refused(rigid(3, 1, 50))}),
     "wait 2: waits for 8 cores\nwait 3: was refused by the resource manager\n"},

    // Virtually malleable jobs behind the head.
    {"only short ones pass", easy,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8), long_job(3, {4}, 50), short_job(4, {4}, 50)}),
     "wait 2: waits for 8 cores\nwait 3: is behind job 2, only short jobs may pass\n"
     "start 4: 4 on 1x4 backfilled until 100\n"},
    {"sized into the hole", easy,
     snapshot({8}, {running(1, {3}, 100)}, {rigid(2, 8), short_job(3, {1, 2, 4, 8}, 50)}),
     "wait 2: waits for 8 cores\nstart 3: 4 on 1x4 backfilled until 100\n"},
    {"rigid sizing: only at its largest size", rigid_sizes,
     snapshot({8}, {running(1, {3}, 100)}, {rigid(2, 8), short_job(3, {1, 2, 4, 8}, 50)}),
     "wait 2: waits for 8 cores\nwait 3: waits for 8 cores\n"},
    {"rigid sizing: the largest size this machine has", rigid_sizes,
     snapshot({8}, {}, {short_job(1, {2, 8, 16})}), "start 1: 8 on 1x8\n"},
    {"overlong, but folded at the window's end it leaves enough to the head: backfilled", easy,
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {7, 8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 7 cores\nstart 3: 4 on 1x4 backfilled until 100 on node 0\n"},
    {"overlong, and even folded it would be in the head's way: waits", easy,
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"overlong on whole nodes, which cannot be folded: waits", easy,
     snapshot({8, 8}, {running(1, {8}, 100)}, [] {
         auto head = long_job(2, {12, 16});
         head.min_nodes = head.max_nodes = 2;
         return std::vector<policy::WaitingJob>{head, whole(short_job(3, {8}, 900))};
     }()),
     "wait 2: waits for 12 cores\nwait 3: would delay job 2\n"},
    {"overlong ones add up", easy,
     snapshot({8}, {running(1, {4}, 100)},
              {long_job(2, {7, 8}), short_job(3, {2}, 900), short_job(4, {2}, 900)}),
     "wait 2: waits for 7 cores\nstart 3: 2 on 1x2 backfilled until 100 on node 0\n"
     "wait 4: would delay job 2\n"},
    {"overlong, window policy keep: as EASY would", keep,
     snapshot({8}, {running(1, {4}, 100)}, {long_job(2, {7, 8}), short_job(3, {4}, 900)}),
     "wait 2: waits for 7 cores\nwait 3: would delay job 2\n"},
    {"FJT makes a long head wait for short jobs: the window is until their end", easy,
     snapshot({8}, {running_short(1, 2, {2}, 70)}, {long_job(2, {4}), rigid(3, 6, 70), rigid(4, 1, 1)}),
     "wait 2: waits for short jobs to end (FJT)\nstart 3: 6 anyhow backfilled until 70\n"
     "wait 4: waits for 1 core\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *queue_suite() {
    return suite_of("queue disciplines", rows, decides);
}
