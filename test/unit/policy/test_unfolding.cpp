// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folded jobs grow when nobody waits and cores are free.
#include "table.hpp"

namespace {

using namespace situation;

const policy::Settings settings;

const Row rows[] = {
    {"full width if there are cores", settings, snapshot({8}, {running_long(1, 8, {2})}, {}),
     "resize 1: 0:8\n"},
    {"never beyond the processes", settings, snapshot({16}, {running_long(1, 8, {2})}, {}),
     "resize 1: 0:8\n"},
    {"two cores for each process: up to that", settings,
     [] {
         auto job = running_long(1, 3, {2});
         job.cores_per_process = 2;
         return snapshot({8}, {job}, {});
     }(),
     "resize 1: 0:6\n"},
    {"two cores for each process: by whole places", settings,
     [] {
         auto job = running_long(1, 5, {4});
         job.cores_per_process = 2;
         return snapshot({9}, {job}, {});
     }(),
     "resize 1: 0:6\n"},
    {"short jobs that were folded at the end of their window, too", settings,
     snapshot({8}, {backfilled(running_short(1, 4, {1}), -50)}, {}), "resize 1: 0:4\n"},
    {"equals get equal", settings,
     snapshot({8}, {running_long(1, 8, {2}), running_long(2, 8, {2})}, {}),
     "resize 1: 0:4\nresize 2: 0:4\n"},
    {"the deepest folded first", settings,
     snapshot({8}, {running_long(1, 8, {4}), running_long(2, 8, {2})}, {}), "resize 2: 0:4\n"},
    {"of equals the one that arrived first gets the last step", settings,
     snapshot({5}, {running_long(1, 8, {2}), running_long(2, 8, {2})}, {}), "resize 1: 0:3\n"},
    {"by arrival, not by id", settings,
     [] {
         auto first = running_long(2, 8, {2});
         first.arrival = 0;
         return snapshot({5}, {running_long(1, 8, {2}), first}, {});
     }(),
     "resize 2: 0:3\n"},
    {"no core that lowers no MPL", settings, snapshot({7}, {running_long(1, 8, {4})}, {}), ""},
    {"no step up, a smaller one for another", settings,
     snapshot({8}, {running_long(1, 8, {2}), running_long(2, 8, {4}), running_short(3, 2, {1})},
              {}),
     "resize 1: 0:3\n"},
    {"on all nodes, as far as the fuller one allows", settings,
     snapshot({8, 4}, {running_long(1, 16, {2, 2})}, {}), "resize 1: 0:4 1:4\n"},
    {"on none if one node is full", settings, snapshot({8, 2}, {running_long(1, 16, {2, 2})}, {}),
     ""},
    {"not while somebody waits", settings, snapshot({8}, {running_long(1, 8, {2})}, {rigid(2, 8)}),
     "wait 2: waits for 8 cores\n"},
    {"a job that does not fit this machine does not count as waiting", settings,
     snapshot({8}, {running_long(1, 8, {2})}, {rigid(2, 9)}),
     "resize 1: 0:8\nwait 2: does not fit this machine\n"},
    {"a job for other nodes does not count as waiting", settings,
     [] {
         auto job = rigid(3, 4);
         job.eligible = {{1}};
         return snapshot({8, 4}, {running_long(1, 8, {2}), running(2, {0, 1})}, {job});
     }(),
     "wait 3: waits for 4 cores\nresize 1: 0:8\n"},
    {"after the last waiting job has started, with what that leaves", settings,
     snapshot({8}, {running_long(1, 8, {2})}, {rigid(2, 3)}), "start 2: 3 anyhow\nresize 1: 0:4\n"},
    {"a job that did not ask is left alone", settings,
     [] {
         auto job = running(1, {2});
         job.processes = 8;
         return snapshot({8}, {job}, {});
     }(),
     ""},
    {"a job that cannot be resized now is left alone", settings,
     [] {
         auto job = running_long(1, 8, {2});
         job.resizable = false;
         return snapshot({8}, {job}, {});
     }(),
     ""},
    {"a resize is under way: left alone", settings,
     snapshot({8}, {resizing(running_long(1, 8, {2}), {{{0}, 4}})}, {}), ""},
    {"cores that are being freed are not given away yet", settings,
     snapshot({8}, {running_long(1, 8, {2}), resizing(running_long(2, 8, {6}), {{{0}, 2}})}, {}),
     ""},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *unfolding_suite() {
    return suite_of("unfolding", rows, decides);
}
