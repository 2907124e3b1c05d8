// SPDX-License-Identifier: GPL-2.0-or-later
//
// Snapshots and settings that make no sense are answered all the same.
#include "table.hpp"

#include <limits>

namespace {

using namespace situation;

const policy::Settings settings;
constexpr int huge = std::numeric_limits<int>::max();
constexpr auto far_away = std::numeric_limits<policy::Seconds>::max();

template <class Change>
policy::WaitingJob changed(policy::WaitingJob job, Change change) {
    change(job);
    return job;
}

template <class Change>
policy::Snapshot changed(policy::Snapshot snapshot, Change change) {
    change(snapshot);
    return snapshot;
}

const std::string no_fit = "wait 1: does not fit this machine\n";

const Row rows[] = {
    {"no nodes", settings, snapshot({}, {}, {rigid(1, 1), short_job(2, {1})}),
     no_fit + "wait 2: does not fit this machine\n"},
    {"nodes without cores", settings, snapshot({0, -4}, {}, {rigid(1, 1)}), no_fit},
    {"more free cores than cores", settings,
     changed(snapshot({4}, {}, {short_job(1, {8})}), [](auto &s) { s.nodes[0].free = 8; }), no_fit},
    {"negative free cores", settings,
     changed(snapshot({4}, {}, {rigid(1, 1)}), [](auto &s) { s.nodes[0].free = -8; }),
     "wait 1: waits for 1 core\n"},
    {"twice in the queue: the first entry counts", settings,
     snapshot({8}, {}, {rigid(1, 4), rigid(1, 2)}), "start 1: 4 anyhow\n"},
    {"no size", settings, snapshot({4}, {}, {short_job(1, {})}), no_fit},
    {"sizes of zero and less", settings, snapshot({4}, {}, {short_job(1, {-4, 0})}), no_fit},
    {"sizes in any order, some too large", settings,
     snapshot({4}, {}, {short_job(1, {64, 2, 4, 2, -1})}), "start 1: 4 on 1x4\n"},
    {"a size that overflows with its cores per process", settings,
     snapshot({4}, {}, {changed(rigid(1, huge), [](auto &job) { job.cores_per_process = huge; })}),
     no_fit},
    {"a huge virtually malleable size", settings, snapshot({4}, {}, {short_job(1, {huge})}), no_fit},
    {"no cores per process: one", settings,
     snapshot({4}, {}, {changed(short_job(1, {4}), [](auto &job) { job.cores_per_process = 0; })}),
     "start 1: 4 on 1x4\n"},
    {"on no nodes: one", settings, snapshot({4}, {}, {changed(short_job(1, {4}), [](auto &job) {
         job.min_nodes = job.max_nodes = 0;
     })}),
     "start 1: 4 on 1x4\n"},
    {"on more nodes than there are", settings,
     snapshot({4}, {}, {changed(short_job(1, {4}), [](auto &job) { job.min_nodes = huge; })}), no_fit},
    {"on more nodes than processes", settings,
     snapshot({4, 4}, {}, {changed(short_job(1, {1}), [](auto &job) { job.min_nodes = 2; })}), no_fit},
    {"on nodes that do not exist", settings,
     snapshot({4}, {}, {changed(rigid(1, 1), [](auto &job) { job.eligible = {{7}}; })}), no_fit},
    {"on nodes some of which do not exist", settings,
     snapshot({4}, {}, {changed(rigid(1, 1), [](auto &job) { job.eligible = {{7}, {0}}; })}),
     "start 1: 1 anyhow\n"},
    {"a negative estimate: it may run for ever", settings,
     snapshot({8}, {running(1, {4}, 100)},
              {rigid(2, 8), changed(rigid(3, 1), [](auto &job) { job.estimate = job.time_limit = -5; })}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"an estimate beyond the time limit: the time limit", settings,
     snapshot({8}, {running(1, {4}, 100)},
              {rigid(2, 8), changed(rigid(3, 1, 100), [](auto &job) { job.estimate = 5000; })}),
     "wait 2: waits for 8 cores\nstart 3: 1 anyhow backfilled until 100\n"},
    {"an estimate at the end of time", settings,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8), rigid(3, 1, far_away)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"a clock at the end of time", settings,
     changed(snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8)}), [](auto &s) { s.now = far_away; }),
     "wait 2: waits for 8 cores\n"},
    {"a running job on a node that does not exist", settings,
     changed(snapshot({4}, {running_long(1, 8, {4})}, {}),
             [](auto &s) { s.running[0].allotment = {{{9}, 4}}; }),
     ""},
    {"a running job without processes", settings,
     changed(snapshot({4}, {running_long(1, 8, {2})}, {}), [](auto &s) { s.running[0].processes = 0; }),
     ""},
    {"a maximum MPL of nothing is 1", [] {
         auto none = settings;
         none.max_mpl = 0;
         return none;
     }(),
     snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, {1})}), "wait 2: waits for 1 core\n"},
    {"a maximum MPL beyond the highest is that", [] {
         auto deep = settings;
         deep.max_mpl = huge;
         return deep;
     }(),
     snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, {1, 2, 4, 6})}),
     "resize 1: 0:2\nwait 2: waits for cores that are being freed\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *nonsense_suite() {
    return suite_of("nonsense", rows, decides);
}
