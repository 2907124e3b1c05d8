// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sizing policies that FJT is compared with in thesis ch. 5 and the FJT paper: PSA and
// folding with moldability.
#include "table.hpp"

namespace {

using namespace situation;
using policy::Sizing;

policy::Settings sized_by(Sizing sizing, int max_mpl = 1) {
    policy::Settings settings;
    settings.queue_discipline = "fcfs";
    settings.sizing = sizing;
    settings.max_mpl = max_mpl;
    return settings;
}

policy::Settings backfilling(policy::Settings settings) {
    settings.queue_discipline = "easy";
    return settings;
}

const auto psa = sized_by("psa");
const auto folding = sized_by("folding", 2);
const auto deep_folding = sized_by("folding", 4);
const policy::Sizes any = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const policy::Sizes powers = {2, 4, 8};
const std::string coming = "waits for cores that are being freed\n";
const std::string share = "waits for its share of the cores (PSA)\n";

// Arrived before its id says.
policy::RunningJob arrived(policy::Seconds arrival, policy::RunningJob job) {
    job.arrival = arrival;
    return job;
}

const Row rows[] = {
    // PSA.
    {"PSA, one job queued, nobody runs: the whole machine", psa,
     snapshot({10}, {}, {short_job(1, any)}), "start 1: 10 on 1x10\n"},
    {"PSA, one job queued, half of the machine idle: waits, though it would fit", psa,
     snapshot({10}, {running_long(1, 5, {5})}, {short_job(2, any)}), "wait 2: " + share},
    {"PSA, a second one arrives: the share is what is idle now", psa,
     snapshot({10}, {running_long(1, 5, {5})}, {short_job(2, any), long_job(3, any)}),
     "start 2: 5 on 1x5\nwait 3: " + share},
    {"PSA, a burst on an idle machine: equal shares of the machine, long or short", psa,
     snapshot({9}, {}, {short_job(1, any), long_job(2, any), long_job(3, any)}),
     "start 1: 3 on 1x3\nstart 2: 4 on 1x4\nwait 3: " + share},
    {"PSA: waits for a size it accepts, not for all of its share", psa,
     snapshot({10}, {running_long(1, 2, {2})}, {short_job(2, powers)}), "start 2: 8 on 1x8\n"},
    {"PSA, the smallest size is above the share: waits for that", psa,
     snapshot({10}, {running_long(1, 5, {5})}, {short_job(2, {6}), short_job(3, any)}),
     "wait 2: " + share},
    {"PSA, the smallest size is above the share and fits", psa,
     snapshot({10}, {running_long(1, 4, {4})}, {short_job(2, {6}), short_job(3, any)}),
     "start 2: 6 on 1x6\nwait 3: " + share},
    {"PSA: jobs that are not virtually malleable have no share", psa,
     snapshot({10}, {}, {short_job(1, any), rigid(2, 4)}),
     "start 1: 10 on 1x10\nwait 2: waits for 4 cores\n"},
    {"PSA: cores that are down are nobody's share", psa, [] {
         auto situation = snapshot({10}, {running_long(1, 4, {4})}, {short_job(2, any), short_job(3, any)});
         situation.nodes[0].free = 4;
         return situation;
     }(),
     "start 2: 4 on 1x4\nwait 3: " + share},
    {"PSA: folds nobody", sized_by("psa", 4),
     snapshot({10}, {running_long(1, 10, {10})}, {short_job(2, any)}), "wait 2: " + share},
    {"PSA: two nodes, shares of both", psa, [] {
         auto wide = short_job(1, any);
         wide.min_nodes = wide.max_nodes = 2;
         return snapshot({4, 4}, {}, {wide, short_job(2, any)});
     }(),
     "start 1: 4 on 2x2\nwait 2: " + share},
    {"PSA with backfilling: who would take of the share does not pass", backfilling(psa),
     snapshot({10}, {running(1, {5}, 100)}, {short_job(2, any), rigid(3, 4, 100), rigid(4, 1, 101)}),
     "wait 2: " + share + "start 3: 4 anyhow backfilled until 100\nwait 4: would delay job 2\n"},

    // Folding with moldability.
    {"folding: all that is idle, unfolded", folding,
     snapshot({10}, {running_long(1, 7, {7})}, {long_job(2, any), short_job(3, any)}),
     "start 2: 3 on 1x3\nresize 1: 0:4\nwait 3: " + coming},
    {"folding, no idle core: halves the latest arrival", folding,
     snapshot({8}, {running_long(1, 4, {4}), running_long(2, 4, {4})}, {short_job(3, any)}),
     "resize 2: 0:2\nwait 3: " + coming},
    {"folding: the latest arrival, not the highest id", folding,
     snapshot({8}, {running_long(1, 4, {4}), arrived(0, running_long(2, 4, {4}))}, {short_job(3, any)}),
     "resize 1: 0:2\nwait 3: " + coming},
    {"folding: short jobs, too, and for long ones", folding,
     snapshot({8}, {running_long(1, 4, {4}), running_short(2, 4, {4})}, {long_job(3, any)}),
     "resize 2: 0:2\nwait 3: " + coming},
    {"folding: half of an odd number is the larger half", folding,
     snapshot({5}, {running_long(1, 5, {5})}, {short_job(2, any)}), "resize 1: 0:3\nwait 2: " + coming},
    {"folding, the halved one is at the maximum: the one before it", folding,
     snapshot({8}, {running_long(1, 4, {4}), running_long(2, 8, {4})}, {short_job(3, any)}),
     "resize 1: 0:2\nwait 3: " + coming},
    {"folding, half of one job is not enough: the one before it as well", folding,
     snapshot({8}, {running_long(1, 4, {4}), running_long(2, 4, {4})}, {short_job(3, {4})}),
     "resize 1: 0:2\nresize 2: 0:2\nwait 3: " + coming},
    {"folding to a quarter, half of the latest is not enough: halved again", deep_folding,
     snapshot({12}, {running_long(1, 4, {4}), running_long(2, 8, {8})}, {short_job(3, {6})}),
     "resize 2: 0:2\nwait 3: " + coming},
    {"folding, all folded to the maximum: waits", folding,
     snapshot({4}, {running_long(1, 8, {4})}, {short_job(2, any)}), "wait 2: waits for 1 core\n"},
    {"folding everybody would not be enough: folds nobody", folding,
     snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, {5})}), "wait 2: waits for 5 cores\n"},
    {"folding, too few idle cores: folds for the rest", folding,
     snapshot({8}, {running_long(1, 7, {7})}, {short_job(2, {4})}), "resize 1: 0:4\nwait 2: " + coming},
    {"folding, cores are coming: folds nobody else", folding,
     snapshot({8}, {running_long(1, 4, {4}), resizing(running_long(2, 4, {4}), {{{0}, 2}})},
              {short_job(3, any)}),
     "wait 3: " + coming},
    {"folding: who cannot be resized is passed over", folding, [] {
         auto job = running_long(2, 4, {4});
         job.resizable = false;
         return snapshot({8}, {running_long(1, 4, {4}), job}, {short_job(3, any)});
     }(),
     "resize 1: 0:2\nwait 3: " + coming},
    {"folding: who holds other nodes is passed over", folding, [] {
         auto job = short_job(3, any);
         job.eligible = {{0}};
         return snapshot({4, 4}, {running_long(1, 4, {4}), running_long(2, 4, {0, 4})}, {job});
     }(),
     "resize 1: 0:2\nwait 3: " + coming},
    {"folding: a job that is not virtually malleable folds nobody", folding,
     snapshot({8}, {running_long(1, 8, {8})}, {rigid(2, 1)}), "wait 2: waits for 1 core\n"},
    {"folding: folded jobs do not grow when the load goes down", folding,
     snapshot({8}, {running_long(1, 8, {4})}, {}), ""},
    {"folding with a maximum MPL of 1: pure moldability", sized_by("folding"),
     snapshot({8}, {running_long(1, 8, {8})}, {short_job(2, any)}), "wait 2: waits for 1 core\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *sizing_suite() {
    return suite_of("sizing", rows, decides);
}
