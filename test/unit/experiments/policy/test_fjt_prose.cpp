// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding by job type where the prose of the thesis and its figure 5.5 disagree.
#include "experiments/policy/sizings.hpp"
#include "suites.hpp"
#include "unit/policy/table.hpp"

namespace {

using namespace situation;

const auto prose = [] {
    policy::Settings settings;
    settings.queue_discipline = "fcfs";
    settings.sizing = policy::papers::fjt_prose;
    settings.max_mpl = 4;
    return settings;
}();
const policy::Sizes any = {1, 2, 3, 4, 5, 6, 7, 8};
const policy::Sizes powers = {2, 4, 8};

const Row rows[] = {
    // clang-format off
    {"long, none other queued, short jobs run: prose executes folded",
     prose, snapshot({8}, {running_short(1, 4, {4})}, {long_job(2, powers)}),
     "start 2: 8 on 1x4 mpl 2\n"},
    {"long, none other queued, short jobs run and no core is idle: prose waits",
     prose, snapshot({8}, {running_short(1, 8, {8})}, {long_job(2, powers)}),
     "wait 2: waits for 2 cores\n"},
    {"long, another queued, short jobs run and nobody is folded: prose executes folded",
     prose, snapshot({8}, {running_short(1, 4, {4})}, {long_job(2, any), long_job(3, {8})}),
     "start 2: 8 on 1x2 mpl 4\nstart 3: 8 on 1x2 mpl 4\n"},
    {"long, another queued, short jobs run, but a folded job is to grow first: prose unfolded",
     prose, snapshot({8}, {running_short(1, 2, {2}), running_long(2, 4, {2})},
                     {long_job(3, any), long_job(4, {8})}),
     "start 3: 2 on 1x2\nstart 4: 8 on 1x2 mpl 4\n"},
    {"a short job first, long ones queued: equipartition among the long ones",
     prose, snapshot({8}, {}, {short_job(2, any), long_job(3, any), long_job(4, any)}),
     "start 2: 4 on 1x4\nstart 3: 8 on 1x2 mpl 4\nstart 4: 8 on 1x2 mpl 4\n"},
    {"a folded job gets no core that its MPL has no use for",
     prose, snapshot({8}, {running_short(1, 3, {3})}, {long_job(2, {8})}),
     "start 2: 8 on 1x4 mpl 2\n"},
    // clang-format on
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *fjt_prose_suite() {
    return suite_of("FJT, prose", rows, decides);
}
