// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue discipline least-work, of our own and the default (doc/policy.md).
#include "table.hpp"

#include <algorithm>

namespace {

using namespace situation;
using policy::Seconds;

policy::Settings least_work(int max_mpl = 4) {
    policy::Settings settings = policy::default_settings();
    settings.max_mpl = max_mpl;
    return settings;
}

policy::Settings with_patience(int patience) {
    policy::Settings settings = least_work();
    settings.patience = patience;
    return settings;
}

policy::Settings with_max_time_lost(int percent) {
    policy::Settings settings = least_work();
    settings.max_time_lost = percent;
    return settings;
}

const auto ours = least_work();
const policy::Sizes powers = {1, 2, 4, 8, 16};
const std::string coming = "waits for cores that are being freed\n";

Seconds age(const policy::RunningJob &job) {
    return now - job.started;
}

// That much of its work is left, by its estimate.
policy::RunningJob left(Seconds seconds, policy::RunningJob job) {
    job.estimate = age(job) - job.lost + seconds;
    return job;
}

policy::RunningJob estimated(Seconds seconds, policy::RunningJob job) {
    job.estimate = seconds;
    return job;
}

// Its user's jobs run longer than he says.
template <class Job>
Job likely(Seconds work, Job job) {
    job.likely_work = work;
    return job;
}

policy::WaitingJob limited(Seconds time, policy::WaitingJob job) {
    job.time_limit = time;
    return job;
}

// Folding costs so many percent of the time that work should take.
policy::Snapshot dear(int percent, policy::Snapshot snapshot) {
    snapshot.folding_cost = percent;
    return snapshot;
}

// An hour's work is left, or two.
policy::RunningJob hour(policy::RunningJob job) {
    return left(3600, std::move(job));
}

policy::RunningJob two_hours(policy::RunningJob job) {
    return left(7200, std::move(job));
}

policy::RunningJob waits(int useful_percent, policy::RunningJob job) {
    job.useful_percent = useful_percent;
    return job;
}

policy::WaitingJob since(Seconds seconds, policy::WaitingJob job) {
    job.arrival = now - seconds;
    return job;
}

policy::RunningJob had_waited(Seconds seconds, policy::RunningJob job) {
    job.arrival = job.started - seconds;
    return job;
}

template <class Job>
Job in_tier(std::int64_t tier, Job job) {
    job.tier = tier;
    return job;
}

policy::WaitingJob spread(int max_nodes, policy::WaitingJob job) {
    job.max_nodes = max_nodes;
    return job;
}

policy::WaitingJob whole_nodes(policy::WaitingJob job) {
    job.whole_nodes = true;
    return job;
}

// It is dealt cores as one that can be folded.
policy::WaitingJob never_folded(std::uint32_t id, int processes, Seconds estimate = 100) {
    return at_most_mpl(1, short_job(id, {processes}, estimate));
}

policy::WaitingJob refused(policy::WaitingJob job) {
    job.refused = true;
    return job;
}

policy::WaitingJob refused_for(Seconds seconds, policy::WaitingJob job) {
    job.earliest_start = now + seconds;
    return refused(std::move(job));
}

// What a job has that gives neither an estimate nor a limit.
constexpr Seconds year = 365 * 24 * 3600;

const Row rows[] = {
    // The order.
    {"who has the least work left is first", ours,
     snapshot({8}, {}, {short_job(1, {8}, 100), short_job(2, {8}, 50)}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"work is time by the root of cores: less", ours,
     snapshot({16}, {}, {since(0, short_job(1, {16}, 51)), since(0, short_job(2, {4}, 100))}),
     "start 2: 4 on 1x4 on node 0\nstart 1: 16 on 1x8 mpl 2 on node 0\n"},
    {"work is time by the root of cores: more", ours,
     snapshot({16}, {}, {since(0, short_job(1, {16}, 49)), since(0, short_job(2, {4}, 100))}),
     "start 1: 16 on 1x16 on node 0\nwait 2: waits for 1 core\n"},
    {"of cores no more than those of a node", ours,
     snapshot({8, 8}, {},
              {since(0, anyhow(short_job(1, {16}, 99))), since(0, short_job(2, {8}, 100))}),
     "start 1: 16 on 2x8 on nodes 0,1\nwait 2: waits for 2 cores\n"},
    {"of the largest node", ours,
     snapshot({8, 2}, {}, {since(0, short_job(1, {8}, 80)), since(0, short_job(2, {4}, 100))}),
     "start 2: 4 on 1x4 on node 0\nstart 1: 8 on 1x4 mpl 2 on node 0\n"},
    {"the largest", ours,
     snapshot({8, 16}, {}, {since(0, never_folded(1, 16, 99)), since(0, never_folded(2, 8, 100))}),
     "start 2: 8 on 1x8 on node 0\nstart 1: 16 on 1x16 on node 1\n"},
    {"of equals who arrived first", ours, snapshot({8}, {}, {short_job(2, {8}), short_job(1, {8})}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 2 cores\n"},
    {"of equals that arrived together the lesser id", ours,
     snapshot({8}, {}, {since(9, short_job(2, {8})), since(9, short_job(1, {8}))}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 2 cores\n"},
    {"who has waited as long as it is to run counts like an eighth", ours,
     snapshot({8}, {}, {since(1000, long_job(1, {8}, 1000)), since(0, short_job(2, {8}, 126))}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 2 cores\n"},
    {"not like less", ours,
     snapshot({8}, {}, {since(1000, long_job(1, {8}, 1000)), since(0, short_job(2, {8}, 124))}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"its class does not matter", ours,
     snapshot({8}, {}, {short_job(1, {8}, 100), long_job(2, {8}, 50)}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    // How many processes.
    {"a short job of open size has all that is idle", ours,
     snapshot({16}, {}, {short_job(1, powers)}), "start 1: 16 on 1x16 on node 0\n"},
    {"two share it", ours, snapshot({16}, {}, {short_job(1, powers), short_job(2, powers)}),
     "start 1: 8 on 1x8 on node 0\nstart 2: 8 on 1x8 on node 0\n"},
    {"where nothing is idle, a quarter of the machine", ours,
     snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, powers)}),
     "resize 1: 0:8\nwait 2: " + coming},
    // Who makes room.
    {"a running job that has four times as much left makes room", ours,
     snapshot({8}, {had_waited(0, left(401, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 100))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"one that has less does not", ours,
     snapshot({8}, {had_waited(0, left(400, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 100))}),
     "wait 2: waits for 2 cores\n"},
    {"on several nodes one that has sixteen times as much", ours,
     snapshot({4, 4}, {had_waited(0, left(1133, running_long(1, 8, {4, 4})))},
              {since(0, short_job(2, {2}, 100))}),
     "resize 1: 0:2 1:2\nwait 2: " + coming},
    {"and none that has less", ours,
     snapshot({4, 4}, {had_waited(0, left(1130, running_long(1, 8, {4, 4})))},
              {since(0, short_job(2, {2}, 100))}),
     "wait 2: waits for 1 core\n"},
    {"what is lost to folding is still to be done", ours,
     snapshot({8}, {had_waited(0, lost(50, estimated(200, running_long(1, 8, {8}))))},
              {since(0, short_job(2, {8}, 30))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"what else has passed is done", ours,
     snapshot({8}, {had_waited(0, estimated(200, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 30))}),
     "wait 2: waits for 2 cores\n"},
    {"once the estimate has passed, as much is left as was done: less", ours,
     snapshot({8}, {had_waited(0, estimated(10, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 25))}),
     "wait 2: waits for 2 cores\n"},
    {"once the estimate has passed, as much is left as was done: more", ours,
     snapshot({8}, {had_waited(0, estimated(10, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 24))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"who waits and is likely to run longer than he says counts as that", ours,
     snapshot({8}, {had_waited(0, estimated(200, running_long(1, 8, {8})))},
              {since(0, limited(7200, likely(3600, short_job(2, {8}, 24))))}),
     "wait 2: waits for 2 cores\n"},
    {"but not for longer than his limit", ours,
     snapshot({8}, {had_waited(0, left(400, running_long(1, 8, {8})))},
              {since(0, limited(99, likely(3600, short_job(2, {8}, 24))))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"who runs and is likely to run longer than he says has more left", ours,
     snapshot({8}, {had_waited(0, likely(500, estimated(10, running_long(1, 8, {8}))))},
              {since(0, short_job(2, {8}, 99))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"without an estimate an hour is left: less", ours,
     snapshot({8}, {had_waited(0, running_long(1, 8, {8}))}, {since(0, short_job(2, {8}, 3600))}),
     "wait 2: waits for 2 cores\n"},
    {"without an estimate an hour is left: more", ours,
     snapshot({8}, {had_waited(0, running_long(1, 8, {8}))}, {since(0, short_job(2, {8}, 3599))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"one that had waited keeps its place", ours,
     snapshot({8}, {had_waited(1000, left(1000, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 32))}),
     "wait 2: waits for 2 cores\n"},
    {"it has no better one", ours,
     snapshot({8}, {had_waited(1000, left(1000, running_long(1, 8, {8})))},
              {since(0, short_job(2, {8}, 31))}),
     "resize 1: 0:4\nwait 2: " + coming},

    {"without limits they have the same, and the narrower one comes first", ours,
     snapshot({8}, {had_waited(0, estimated(year, running_long(1, 8, {8})))},
              {since(0, short_job(2, {4}, year))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"without estimates age does not count", ours,
     snapshot({8}, {had_waited(99, running_long(1, 8, {8}))}, {since(99, short_job(2, {4}, 0))}),
     "resize 1: 0:4\nwait 2: " + coming},

    // Who waits much is folded first, and as deep as that pays for.
    {"who waits for half of its time makes room", ours,
     snapshot({8}, {waits(50, left(10, running_long(1, 8, {8})))}, {short_job(2, {4}, 3600)}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"though it has the least work left; who never waits does not", ours,
     snapshot({8}, {left(10, running_long(1, 8, {8}))}, {short_job(2, {4}, 3600)}),
     "wait 2: waits for 1 core\n"},
    {"who waits before who has more work left", ours,
     snapshot({16},
              {waits(50, left(10, running_long(1, 8, {8}))), two_hours(running_long(2, 8, {8}))},
              {short_job(3, {4}, 3600)}),
     "resize 1: 0:4\nwait 3: " + coming},
    {"not deeper than its waiting pays for, before who has more work left", ours,
     snapshot({16},
              {waits(50, left(1000, running_long(1, 8, {8}))),
               had_waited(0, two_hours(running_long(2, 8, {8})))},
              {since(0, short_job(3, {8}, 1700))}),
     "resize 1: 0:4\nresize 2: 0:4\nwait 3: " + coming},
    {"who waits for three quarters, to a quarter", ours,
     snapshot({8}, {waits(26, left(10, running_long(1, 8, {8})))}, {short_job(2, {6}, 3600)}),
     "resize 1: 0:2\nwait 2: " + coming},
    {"what nobody needs is its own", ours,
     snapshot({8}, {waits(50, hour(running_long(1, 8, {4})))}, {}), "resize 1: 0:8\n"},

    // Floors, and no deeper than is needed.
    {"down to a quarter on one node", ours,
     snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, {12})}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"not deeper: rather the other starts folded", ours,
     snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, {13})}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"as little as makes room", ours,
     snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, {3})}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"down to a half on several nodes", ours,
     snapshot({8, 8}, {hour(running_long(1, 16, {8, 8}))}, {short_job(2, {5})}),
     "resize 1: 0:4 1:4\nwait 2: " + coming},
    {"as deep as MaxMpl", least_work(2),
     snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, {12})}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"as deep as the job's own limit", ours,
     snapshot({16}, {at_most_mpl(2, hour(running_long(1, 16, {16})))}, {short_job(2, {12})}),
     "resize 1: 0:8\nwait 2: " + coming},
    {"not at all where MaxMpl is 1", least_work(1),
     snapshot({8}, {hour(running_long(1, 8, {8}))}, {short_job(2, {6})}),
     "wait 2: waits for 6 cores\n"},
    {"nor where its own limit is 1", ours,
     snapshot({8}, {at_most_mpl(1, hour(running_long(1, 8, {8})))}, {short_job(2, {6})}),
     "wait 2: waits for 2 cores\n"},
    {"who is folded deeper than its floor keeps what it has", ours,
     snapshot({8, 8}, {hour(running_long(1, 16, {2, 2})), running(2, {6, 6})}, {short_job(3, {4})}),
     "wait 3: waits for 1 core\n"},
    {"and grows as far as there are cores", ours,
     snapshot({8, 8}, {hour(running_long(1, 16, {2, 2})), running(2, {3, 3})}, {}),
     "resize 1: 0:4 1:4\n"},

    // Starts.
    {"as little folded as there is room for", ours,
     snapshot({16}, {running(1, {11})}, {short_job(2, {8})}),
     "start 2: 8 on 1x4 mpl 2 on node 0\n"},
    {"as deep as its own limit", ours,
     snapshot({16}, {running(1, {14})}, {at_most_mpl(2, short_job(2, {8}))}),
     "wait 2: waits for 4 cores\n"},
    {"a job of several nodes not deeper than to a half", ours,
     snapshot({8, 8}, {running(1, {6, 6})}, {[] {
                  auto job = short_job(2, {16});
                  job.min_nodes = job.max_nodes = 2;
                  return job;
              }()}),
     "wait 2: waits for 8 cores\n"},
    {"on the fullest nodes that suffice", ours,
     snapshot({8, 8}, {running(1, {2, 4})}, {short_job(2, {4})}), "start 2: 4 on 1x4 on node 1\n"},
    {"where nobody is folded", ours,
     snapshot({8, 8}, {hour(running_long(1, 8, {8})), running(2, {0, 4})}, {short_job(3, {4})}),
     "start 3: 4 on 1x4 on node 1\n"},

    // Who makes room.
    {"who is spread over the fewest nodes", ours,
     snapshot({8, 8, 8},
              {two_hours(running_long(1, 16, {8, 8})), hour(running_long(2, 8, {0, 0, 8}))},
              {short_job(3, {4})}),
     "resize 2: 2:4\nwait 3: " + coming},
    {"of these who is last in the order", ours,
     snapshot({8, 8}, {hour(running_long(1, 8, {8})), two_hours(running_long(2, 8, {0, 8}))},
              {short_job(3, {4})}),
     "resize 2: 1:4\nwait 3: " + coming},
    {"whoever came first", ours,
     snapshot({8, 8}, {two_hours(running_long(1, 8, {8})), hour(running_long(2, 8, {0, 8}))},
              {short_job(3, {4})}),
     "resize 1: 0:4\nwait 3: " + coming},
    {"the last of a node before the others there", ours,
     snapshot({16}, {two_hours(running_long(1, 8, {8})), hour(running_long(2, 8, {8}))},
              {short_job(3, {4})}),
     "resize 1: 0:4\nwait 3: " + coming},
    {"nobody who cannot be resized", ours,
     snapshot({8}, {[] {
                  auto job = hour(running_long(1, 8, {8}));
                  job.resizable = false;
                  return job;
              }()},
              {short_job(2, {4})}),
     "wait 2: waits for 1 core\n"},

    // Over more nodes than it needs.
    {"spread over two nodes it is not folded", ours,
     snapshot({8, 8}, {running(1, {4, 4})}, {spread(2, short_job(2, {8}))}),
     "start 2: 8 on 2x4 on nodes 0,1\n"},
    {"not if it is to stay on one", ours,
     snapshot({8, 8}, {running(1, {4, 4})}, {short_job(2, {8})}),
     "start 2: 8 on 1x4 mpl 2 on node 0\n"},
    {"not if a core would be of no use", ours,
     snapshot({8, 8}, {running(1, {4, 4})}, {spread(2, short_job(2, {7}))}),
     "start 2: 7 on 1x4 mpl 2 on node 0\n"},
    {"not over more than twice as many", ours,
     snapshot({9, 9, 9}, {running(1, {6, 6, 6})}, {spread(0, short_job(2, {9}))}),
     "start 2: 9 on 1x3 mpl 3 on node 0\n"},

    // Spread unequally.
    {"who leaves its spread open goes where there is room", ours,
     snapshot({4, 4, 4}, {running(1, {1, 2, 4})}, {anyhow(short_job(2, {5}))}),
     "start 2: 5 on 0:3 1:2 on nodes 0,1\n"},
    {"on one node if it fits there", ours,
     snapshot({8, 4}, {running(1, {3, 1})}, {anyhow(short_job(2, {5}))}),
     "start 2: 5 on 1x5 on node 0\n"},
    {"who does not goes over nodes that are equal", ours,
     snapshot({4, 4, 4}, {running(1, {1, 2, 3})}, {spread(0, short_job(2, {4}))}),
     "start 2: 4 on 2x2 on nodes 0,1\n"},
    {"as little folded as there is room for, and no more on a node than it has cores", ours,
     snapshot({4, 4}, {running(1, {1, 3}, 1000)}, {anyhow(short_job(2, {6}))}),
     "start 2: 6 on 0:2 1:1 mpl 2 on nodes 0,1\n"},
    {"but not where it would lose as much by that as by waiting", ours,
     snapshot({4, 4}, {running(1, {1, 3}, 120)}, {anyhow(short_job(2, {6}))}),
     "wait 2: waits for 6 cores\n"},
    {"nor where folding costs so much here", ours,
     dear(133, snapshot({4, 4}, {running(1, {1, 3}, 150)}, {anyhow(short_job(2, {6}))})),
     "wait 2: waits for 6 cores\n"},
    {"where it costs a third they are folded", ours,
     dear(133, snapshot({4, 4}, {hour(running_long(1, 8, {4, 4}))}, {short_job(2, {2})})),
     "resize 1: 0:2 1:2\nwait 2: " + coming},
    {"where folding costs more than a third nobody is folded deeper on machines of several nodes",
     ours, dear(134, snapshot({4, 4}, {hour(running_long(1, 8, {4, 4}))}, {short_job(2, {2})})),
     "wait 2: waits for 2 cores\n"},
    {"nor one that is on a single node", ours,
     dear(134, snapshot({4, 4}, {hour(running_long(1, 4, {4})), running(2, {0, 4}, 3600)},
                        {short_job(3, {2})})),
     "wait 3: waits for 2 cores\n"},
    {"who is, is unfolded", ours,
     dear(134, snapshot({4, 4}, {hour(with_processes({4, 4}, running_long(1, 8, {2, 2})))},
                        {short_job(2, {4})})),
     "resize 1: 0:4 1:4\nwait 2: waits for 4 cores\n"},
    {"on a machine of one node they are", ours,
     dear(134, snapshot({4}, {hour(running_long(1, 4, {4}))}, {short_job(2, {2})})),
     "resize 1: 0:2\nwait 2: " + coming},
    {"who comes behind it starts where that does not delay it", ours,
     snapshot({4, 4}, {running(1, {1, 3}, 120)},
              {anyhow(short_job(2, {6})), short_job(3, {4}, 120)}),
     "wait 2: waits for 6 cores\nstart 3: 4 on 1x1 mpl 4 backfilled on node 1\n"},
    {"folded to a half on each of its nodes", ours,
     snapshot({4, 4}, {hour(with_processes({4, 3}, running_long(1, 7, {4, 3})))},
              {short_job(2, {2})}),
     "resize 1: 0:2 1:2\nwait 2: " + coming},
    {"of its unequal nodes the one counts where it is folded deepest", ours,
     snapshot({4, 4},
              {hour(with_processes({4, 1}, running_long(1, 5, {2, 1}))), running(2, {2, 3})}, {}),
     ""},
    {"and grows there alone", ours,
     snapshot({4, 4}, {hour(with_processes({4, 1}, running_long(1, 5, {2, 1})))}, {}),
     "resize 1: 0:4 1:1\n"},
    {"others fold nobody where it can be without", ours,
     snapshot({4, 4, 4}, {hour(running_long(1, 4, {4})), running(2, {0, 1, 2})},
              {anyhow(short_job(3, {5}))}),
     "start 3: 5 on 1:3 2:2 on nodes 1,2\n"},
    {"what is reserved on several nodes is no deeper than its floor there", ours,
     snapshot({4, 4}, {running(1, {3}, 100), running(2, {0, 2}, 1000)},
              {since(0, anyhow(short_job(3, {8}, 90))), since(0, rigid(4, 1, 300))}),
     "wait 3: waits for 2 cores\nstart 4: 1 anyhow backfilled on node 0\n"},

    // What is reserved, and who passes.
    {"who ends before the reserved start passes", ours,
     snapshot({8}, {running(1, {6}, 100)}, {rigid(2, 8, 10), rigid(3, 2, 100)}),
     "wait 2: waits for 8 cores\nstart 3: 2 anyhow backfilled on node 0\n"},
    {"who ends before somebody who starts now does, too", ours,
     snapshot({8}, {},
              {since(5000, never_folded(1, 4, 1000)), since(0, never_folded(2, 8, 100)),
               since(0, never_folded(3, 2, 900))}),
     "start 1: 4 on 1x4 on node 0\nwait 2: waits for 8 cores\n"
     "start 3: 2 on 1x2 backfilled on node 0\n"},
    {"who ends later does not", ours,
     snapshot({8}, {running(1, {6}, 100)}, {rigid(2, 8, 10), rigid(3, 2, 101)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"but on cores that are left over then", ours,
     snapshot({8}, {running(1, {6}, 100)}, {rigid(2, 6, 10), rigid(3, 2, 1000)}),
     "wait 2: waits for 6 cores\nstart 3: 2 anyhow backfilled on node 0\n"},
    {"these need to be its floor only", ours,
     snapshot({16}, {running(1, {8}, 100)}, {never_folded(2, 14, 1), short_job(3, {8}, 1000)}),
     "wait 2: waits for 14 cores\nstart 3: 8 on 1x8 backfilled on node 0\n"},
    {"of several jobs their floors together", ours,
     snapshot({16}, {running(1, {8}, 100)},
              {never_folded(2, 14, 1), short_job(3, {4}, 1000), short_job(4, {4}, 2000)}),
     "wait 2: waits for 14 cores\nstart 3: 4 on 1x4 backfilled on node 0\n"
     "start 4: 4 on 1x4 backfilled on node 0\n"},
    {"and no more of them", ours,
     snapshot({16}, {running(1, {8}, 100)},
              {never_folded(2, 14, 1), short_job(3, {4}, 1000), short_job(4, {5}, 2000)}),
     "wait 2: waits for 14 cores\nstart 3: 4 on 1x4 backfilled on node 0\n"
     "wait 4: would delay job 2\n"},
    {"and not less", ours,
     snapshot({16}, {running(1, {8}, 100)}, {rigid(2, 14, 1), short_job(3, {9}, 1000)}),
     "wait 2: waits for 14 cores\nwait 3: would delay job 2\n"},
    {"who is folded ends later", ours,
     snapshot({8}, {running(1, {6}, 100)}, {rigid(2, 8, 1), short_job(3, {4}, 90)}),
     "wait 2: waits for 8 cores\nwait 3: would delay job 2\n"},
    {"floors are not to be had before who runs there ends", ours,
     snapshot({16}, {running(1, {8}, 100), had_waited(0, left(5000, running_long(2, 8, {8})))},
              {rigid(3, 15, 1), since(0, rigid(4, 2, 2000))}),
     "resize 2: 0:4\nwait 3: waits for 15 cores\nwait 4: " + coming},
    {"what is above them is", ours,
     snapshot({16}, {running(1, {8}, 100), had_waited(0, left(5000, running_long(2, 8, {8})))},
              {since(0, never_folded(3, 14, 1)), since(0, rigid(4, 2, 2000))}),
     "wait 3: waits for 14 cores\nwait 4: would delay job 3\n"},

    // In Slurm's order.
    {"who cannot be folded starts in its turn", ours,
     snapshot({8}, {}, {since(0, rigid(1, 8, 1000)), since(0, short_job(2, {8}, 10))}),
     "wait 2: waits for 2 cores\nstart 1: 8 anyhow on node 0\n"},
    {"before one with more work to do that can be", ours,
     snapshot({8}, {}, {since(0, short_job(1, {8}, 1000)), since(0, rigid(2, 8, 10))}),
     "start 2: 8 anyhow on node 0\nwait 1: waits for 2 cores\n"},
    {"not before one with less that came sooner, too", ours,
     snapshot({8}, {}, {since(0, short_job(1, {8}, 10)), since(0, rigid(2, 8, 1000))}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 8 cores\n"},
    {"as one that can be folded and has waited for four times as long as it is to run: not yet",
     ours, snapshot({8}, {}, {since(3999, short_job(1, {8}, 1000)), since(0, rigid(2, 8, 5))}),
     "start 2: 8 anyhow on node 0\nwait 1: waits for 2 cores\n"},
    {"but then", ours,
     snapshot({8}, {}, {since(4000, short_job(1, {8}, 1000)), since(0, rigid(2, 8, 5))}),
     "wait 2: waits for 8 cores\nstart 1: 8 on 1x8 on node 0\n"},
    {"and its cores are kept, too", ours,
     snapshot({8}, {running(1, {4}, 100)},
              {since(4000, never_folded(2, 8, 1000)), rigid(3, 4, 101)}),
     "wait 3: would delay job 2\nwait 2: waits for 8 cores\n"},
    {"all that it needs unfolded, where it could be folded", ours,
     snapshot({8}, {running(1, {4}, 100)},
              {since(4000, short_job(2, {8}, 1000)), since(1000, rigid(3, 4, 101))}),
     "wait 3: would delay job 2\nwait 2: waits for 8 cores\n"},
    {"once it comes first in the order, too, on its floor", ours,
     snapshot({16}, {running(1, {8}, 100), had_waited(0, left(5000, running_long(2, 8, {8})))},
              {since(4000, never_folded(3, 14, 1)), since(0, rigid(4, 2, 2000))}),
     "wait 3: waits for 14 cores\nwait 4: would delay job 3\n"},
    {"unless all can be folded", ours,
     snapshot({8}, {}, {since(4000, short_job(1, {8}, 1000)), since(0, short_job(2, {8}, 1))}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"as a job that wants whole nodes", ours,
     snapshot({8}, {},
              {since(0, whole_nodes(short_job(1, {8}, 1000))), since(0, short_job(2, {8}, 10))}),
     "wait 2: waits for 2 cores\nstart 1: 8 on 1x8 on node 0\n"},
    {"a job of one process", ours,
     snapshot({8}, {running(1, {7})}, {short_job(2, {1}, 1000), short_job(3, {1}, 10)}),
     "wait 3: waits for 1 core\nstart 2: 1 on 1x1 on node 0\n"},
    {"and any on nodes of one core", ours,
     snapshot({1, 1}, {}, {anyhow(short_job(1, {2}, 1000)), anyhow(short_job(2, {2}, 10))}),
     "wait 2: waits for 2 cores\nstart 1: 2 on 2x1 on nodes 0,1\n"},
    {"where it has to wait, its cores are kept", ours,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8, 1000), short_job(3, {4}, 101)}),
     "wait 3: would delay job 2\nwait 2: waits for 8 cores\n"},
    {"until then others have them", ours,
     snapshot({8}, {running(1, {4}, 100)}, {rigid(2, 8, 1000), short_job(3, {4}, 100)}),
     "start 3: 4 on 1x4 on node 0\nwait 2: waits for 8 cores\n"},
    {"and who runs gives back all that it has alone", ours,
     snapshot({16}, {had_waited(0, left(401, running_long(1, 8, {8})))},
              {rigid(2, 16, 1000), rigid(3, 4, 402)}),
     "wait 3: would delay job 2\nwait 2: waits for 16 cores\n"},
    {"nobody is folded for it before it has the least work left", ours,
     snapshot({8}, {had_waited(0, left(401, running_long(1, 8, {8})))},
              {since(0, rigid(2, 4, 200))}),
     "wait 2: waits for 4 cores\n"},
    {"but then", ours,
     snapshot({8}, {had_waited(0, left(401, running_long(1, 8, {8})))},
              {since(0, rigid(2, 4, 100))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"the first of the highest tier", ours,
     snapshot({8}, {},
              {rigid(1, 8, 10), in_tier(1, rigid(2, 8, 1000)), in_tier(1, rigid(3, 8, 10))}),
     "wait 3: waits for 8 cores\nstart 2: 8 anyhow on node 0\nwait 1: would delay job 3\n"},

    // Patience: who is in front starts on its floor at least, and has more in its turn.
    {"who has waited for ten times its estimate is in front", ours,
     snapshot({8}, {}, {since(10000, long_job(1, {8}, 1000)), short_job(2, {8})}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 2 cores\n"},
    {"who has not is not", ours,
     snapshot({8}, {}, {since(9999, long_job(1, {8}, 1000)), short_job(2, {8})}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"nor before an hour", ours,
     snapshot({8}, {}, {since(3599, long_job(1, {8}, 110)), since(3599, short_job(2, {8}, 100))}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"but then", ours,
     snapshot({8}, {}, {since(3600, long_job(1, {8}, 110)), since(3600, short_job(2, {8}, 100))}),
     "start 1: 8 on 1x8 on node 0\nwait 2: waits for 2 cores\n"},
    {"who is not folded has all", ours,
     snapshot({8}, {}, {since(10000, rigid(1, 8, 1000)), since(0, short_job(2, {8}))}),
     "start 1: 8 anyhow on node 0\nwait 2: waits for 2 cores\n"},
    {"others are folded for it", ours,
     snapshot({16}, {hour(running_long(1, 12, {12})), running(2, {4})},
              {since(99999, long_job(3, {9}, 9000))}),
     "resize 1: 0:3\nwait 3: " + coming},
    {"one at a time, the first of the queue", ours,
     snapshot({8}, {},
              {since(9999, never_folded(1, 8, 900)), since(9999, never_folded(2, 8, 800)),
               never_folded(3, 8)}),
     "start 1: 8 on 1x8 on node 0\nwait 3: waits for 8 cores\nwait 2: would delay job 3\n"},
    {"as long as such jobs have no more than a tenth", ours,
     snapshot({40}, {had_waited(9999, estimated(100, running(1, {4}))), running(2, {28})},
              {since(10000, never_folded(3, 8, 1000)), never_folded(4, 8)}),
     "start 3: 8 on 1x8 on node 0\nwait 4: waits for 8 cores\n"},
    {"not when they have more", ours,
     snapshot({49}, {had_waited(9999, estimated(100, running(1, {5}))), running(2, {36})},
              {since(10000, never_folded(3, 8, 1000)), never_folded(4, 8)}),
     "start 4: 8 on 1x8 on node 0\nwait 3: waits for 8 cores\n"},
    {"running ones that had not waited do not count", ours,
     snapshot({40}, {had_waited(3599, estimated(100, running(1, {5}))), running(2, {27})},
              {since(10000, rigid(3, 8, 1000)), rigid(4, 8)}),
     "start 3: 8 anyhow on node 0\nwait 4: waits for 8 cores\n"},
    {"without patience the first of the queue is in front", with_patience(0),
     snapshot({8}, {}, {rigid(1, 8, 1000), rigid(2, 8)}),
     "start 1: 8 anyhow on node 0\nwait 2: waits for 8 cores\n"},
    {"however much such jobs have", with_patience(0),
     snapshot({16}, {running(1, {8})}, {rigid(2, 8, 1000), rigid(3, 8)}),
     "start 2: 8 anyhow on node 0\nwait 3: waits for 8 cores\n"},
    {"and those behind it do not delay it", with_patience(0),
     snapshot({8}, {running(1, {6}, 100)}, {rigid(2, 8, 1000), rigid(3, 2, 100), rigid(4, 2, 101)}),
     "wait 2: waits for 8 cores\nstart 3: 2 anyhow backfilled on node 0\n"
     "wait 4: would delay job 2\n"},

    // Tiers.
    {"nobody of a higher tier makes room for a lower one", ours,
     snapshot({8}, {in_tier(1, hour(running_long(1, 8, {8})))}, {short_job(2, {4})}),
     "wait 2: waits for 1 core\n"},
    {"of a lower one somebody does, who has less left", ours,
     snapshot({8}, {left(10, running_long(1, 8, {8}))}, {in_tier(1, short_job(2, {4}))}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"a higher tier starts first", ours,
     snapshot({8}, {}, {short_job(1, {8}, 10), in_tier(1, short_job(2, {8}))}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},
    {"and grows first", ours,
     snapshot({8}, {in_tier(1, hour(running_long(1, 8, {2}))), running(2, {2})},
              {short_job(3, {4})}),
     "resize 1: 0:4\nstart 3: 4 on 1x2 mpl 2 on node 0\n"},
    {"patience does not lead to a higher one", ours,
     snapshot({8}, {}, {since(99999, short_job(1, {8}, 10)), in_tier(1, short_job(2, {8}))}),
     "start 2: 8 on 1x8 on node 0\nwait 1: waits for 2 cores\n"},

    // MaxTimeLost.
    {"who has lost that part of its time is still folded", with_max_time_lost(50),
     snapshot({8}, {lost(49, hour(running_long(1, 8, {8})))}, {short_job(2, {4})}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"who has lost all of it is, where that is no limit", ours,
     snapshot({8}, {hour(lost(99, running_long(1, 8, {8})))}, {short_job(2, {4})}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"who has lost more is not", with_max_time_lost(50),
     snapshot({8}, {hour(lost(50, running_long(1, 8, {8})))}, {short_job(2, {4})}),
     "wait 2: waits for 1 core\n"},
    {"nor any deeper than it is", with_max_time_lost(50),
     snapshot({8}, {hour(lost(50, running_long(1, 8, {4}))), running(2, {4})}, {short_job(3, {2})}),
     "wait 3: waits for 1 core\n"},
    {"but grows", with_max_time_lost(50),
     snapshot({8}, {hour(lost(50, running_long(1, 8, {4})))}, {}), "resize 1: 0:8\n"},

    // Jobs that did not ask.
    {"room is made for an ordinary job", ours,
     snapshot({8}, {hour(running_long(1, 8, {8}))}, {rigid(2, 4)}),
     "resize 1: 0:4\nwait 2: " + coming},
    {"which is not folded", ours, snapshot({8}, {hour(running_long(1, 8, {8}))}, {rigid(2, 7)}),
     "wait 2: waits for 7 cores\n"},
    {"and starts on what is free first", ours,
     snapshot({8, 8}, {hour(running_long(1, 8, {8})), running(2, {0, 2})}, {rigid(3, 4)}),
     "start 3: 4 anyhow on node 1\n"},
    {"over several nodes", ours, snapshot({8, 8}, {running(1, {4, 4})}, {rigid(2, 8)}),
     "start 2: 8 anyhow on nodes 0,1\n"},
    {"on whole nodes nobody is folded", ours,
     snapshot({8, 8}, {hour(running_long(1, 8, {8})), running(2, {0, 1})},
              {whole_nodes(short_job(3, {8}))}),
     "wait 3: waits for whole nodes\n"},
    {"a whole node that is free is taken", ours,
     snapshot({8, 8}, {hour(running_long(1, 8, {8}))}, {whole_nodes(short_job(2, {4}))}),
     "start 2: 4 on 1x4 on node 1\n"},

    // Those that Slurm has refused.
    {"who is refused holds nobody up", ours,
     snapshot({8}, {}, {refused(short_job(1, {8}, 10)), short_job(2, {8})}),
     "start 2: 8 on 1x8 on node 0\n"},
    {"unless it is known when it can start: who ends by then passes", ours,
     snapshot({8}, {}, {refused_for(50, rigid(1, 8, 1)), rigid(2, 2, 50)}),
     "wait 1: was refused by the resource manager\nstart 2: 2 anyhow backfilled on node 0\n"},
    {"unless it is known when it can start: who does not waits", ours,
     snapshot({8}, {}, {refused_for(50, rigid(1, 8, 1)), rigid(2, 2, 51)}),
     "wait 1: was refused by the resource manager\nwait 2: would delay job 1\n"},

    // Resizes that are under way.
    {"cores that are coming are dealt, and nobody is folded for more", ours,
     snapshot({16}, {resizing(hour(running_long(1, 16, {16})), {{{0}, 8}})}, {short_job(2, {8})}),
     "wait 2: " + coming},
    {"who is being resized is not told again", ours,
     snapshot({16}, {resizing(hour(running_long(1, 16, {16})), {{{0}, 8}})},
              {short_job(2, powers)}),
     "wait 2: " + coming},
    {"what is free is started on meanwhile", ours,
     snapshot({16}, {resizing(hour(running_long(1, 12, {12})), {{{0}, 6}})},
              {short_job(2, {6}), short_job(3, {4}, 1)}),
     "start 3: 4 on 1x4 on node 0\nwait 2: " + coming},

    // Those that are folded too deep (overdue.hpp).
    {"who is folded too deep grows first", ours,
     snapshot({8}, {at_most_mpl(2, hour(running_long(1, 8, {2}))), running(2, {4})},
              {short_job(3, {2})}),
     "resize 1: 0:4\nwait 3: waits for 1 core\n"},
    {"as near to it as cores are free", ours,
     snapshot({8}, {at_most_mpl(2, hour(running_long(1, 8, {2}))), running(2, {5})},
              {short_job(3, {1})}),
     "resize 1: 0:3\nwait 3: waits for 1 core\n"},
    {"what is free of what it lacks is kept for it", ours,
     snapshot({12}, {at_most_mpl(2, hour(running_long(1, 12, {4}))), running(2, {7})},
              {short_job(3, {1})}),
     "wait 3: waits for 1 core\n"},
    {"and what comes free", ours,
     snapshot({8},
              {at_most_mpl(2, hour(running_long(1, 8, {2}))), running(2, {3}),
               resizing(hour(running_long(3, 3, {3})), {{{0}, 1}})},
              {short_job(4, {1})}),
     "wait 4: waits for 1 core\n"},
    {"nobody is folded for it in vain", ours,
     snapshot({6}, {at_most_mpl(2, running_long(1, 12, {4})), hour(running_long(2, 2, {2}))}, {}),
     ""},
    {"nor for another, as long as it would have the cores", ours,
     snapshot({7}, {at_most_mpl(2, running_long(1, 12, {4})), hour(running_long(2, 3, {3}))},
              {short_job(3, {1})}),
     "wait 3: waits for 1 core\n"},
    {"until it ends", ours,
     snapshot({8, 8}, {at_most_mpl(2, running_long(1, 8, {2}, 200)), running(2, {6, 4}, 100)},
              {rigid(3, 16, 1), rigid(4, 4, 201)}),
     "wait 3: waits for 16 cores\nwait 4: would delay job 3\n"},
};

// 300 jobs, each of which would wait longer by the cores that folding wastes.
START_TEST(nobody_is_folded_where_that_costs_others_more) {
    auto crowded = snapshot({16}, {hour(running_long(1, 16, {16}))}, {short_job(2, {8}, 600)});
    const std::string alone = situation::to_text(policy::decide(crowded, ours));
    ck_assert_msg(alone.find("resize 1: 0:8\n") != std::string::npos, "%s", alone.c_str());
    for (std::uint32_t id = 3; id < 303; id++)
        crowded.waiting.push_back(rigid(id, 16, 9000));
    const std::string decided = situation::to_text(policy::decide(crowded, ours));
    ck_assert_msg(decided.find("resize") == std::string::npos, "%s", decided.c_str());
}
END_TEST

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

// sched/fjt asks Slurm whether that job would start then, over so many nodes.
START_TEST(folds_say_for_whom) {
    const auto actions = policy::decide(
        snapshot({8, 8}, {hour(running_long(1, 8, {8})), two_hours(running_long(2, 8, {0, 8}))},
                 {spread(2, short_job(3, {8}))}),
        ours);
    int folds = 0;
    for (const auto &action : actions)
        if (const auto *resize = std::get_if<policy::Resize>(&action)) {
            ck_assert(resize->makes_room_for == policy::JobId{3});
            ck_assert_int_eq(resize->on_nodes, 2);
            folds++;
        }
    ck_assert_int_eq(folds, 2);
}
END_TEST

START_TEST(who_grows_makes_room_for_nobody) {
    const auto actions = policy::decide(snapshot({8}, {hour(running_long(1, 8, {4}))}, {}), ours);
    ck_assert_uint_eq(actions.size(), 1);
    ck_assert(!std::get<policy::Resize>(actions.front()).makes_room_for);
}
END_TEST

} // namespace

Suite *least_work_suite() {
    Suite *suite = suite_of("least work", rows, decides);
    TCase *folds = tcase_create("folds");
    tcase_add_test(folds, folds_say_for_whom);
    tcase_add_test(folds, who_grows_makes_room_for_nobody);
    tcase_add_test(folds, nobody_is_folded_where_that_costs_others_more);
    suite_add_tcase(suite, folds);
    return suite;
}
