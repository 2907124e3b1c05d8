// SPDX-License-Identifier: GPL-2.0-or-later
//
// ASP-MAX, one of those that FJT is compared with in thesis ch. 5 and the FJT paper.
#include "experiments/policy/sizings.hpp"
#include "suites.hpp"
#include "unit/policy/table.hpp"

namespace {

using namespace situation;

policy::Settings asp(int max_mpl) {
    policy::Settings settings;
    settings.queue_discipline = "fcfs";
    settings.sizing = policy::papers::asp60;
    settings.max_mpl = max_mpl;
    return settings;
}

const auto asp60 = asp(1);
const auto asp60_mpl4 = asp(4);
const policy::Sizes any = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const policy::Sizes powers = {2, 4, 8};

const Row rows[] = {
    // clang-format off
    {"ASP60: no more than 60 % of the machine", asp60, snapshot({10}, {}, {short_job(1, any)}),
     "start 1: 6 on 1x6\n"},
    {"ASP60: of a burst the first ones get it all", asp60,
     snapshot({10}, {}, {short_job(1, any), long_job(2, any), short_job(3, any)}),
     "start 1: 6 on 1x6\nstart 2: 4 on 1x4\nwait 3: waits for 1 core\n"},
    {"ASP60: does not wait for more", asp60,
     snapshot({10}, {running_long(1, 9, {9})}, {long_job(2, any)}), "start 2: 1 on 1x1\n"},
    {"ASP60: a size that it accepts", asp60, snapshot({10}, {}, {short_job(1, powers)}),
     "start 1: 4 on 1x4\n"},
    {"ASP60: a smallest size above the maximum is let in", asp60,
     snapshot({10}, {}, {short_job(1, {8, 10})}), "start 1: 8 on 1x8\n"},
    {"ASP60: folds nobody", asp60_mpl4,
     snapshot({10}, {running_long(1, 10, {10})}, {short_job(2, any)}), "wait 2: waits for 1 core\n"},
    {"ASP60: 60 % of the nodes that it is eligible for", asp60, [] {
         auto job = short_job(1, any);
         job.eligible = {{1}};
         return snapshot({10, 5}, {}, {job});
     }(),
     "start 1: 3 on 1x3\n"},
    {"ASP60: a job that is not virtually malleable has its size", asp60,
     snapshot({10}, {}, {rigid(1, 10)}), "start 1: 10 anyhow\n"},
    // clang-format on
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *asp60_suite() {
    return suite_of("ASP60", rows, decides);
}
