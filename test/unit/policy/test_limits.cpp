// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an operator allows of one job: how deep it is folded, and who is folded first for what it
// has lost already.
#include "table.hpp"

namespace {

using namespace situation;
using policy::Sizing;
using policy::WindowRule;

policy::Settings deep(Sizing sizing = "fjt") {
    policy::Settings settings;
    settings.sizing = sizing;
    settings.max_mpl = 4;
    return settings;
}

policy::Settings fair(Sizing sizing = "fjt") {
    policy::Settings settings = deep(sizing);
    settings.folded_weight = 2;
    return settings;
}

policy::Settings by(WindowRule rule, int weight = 0) {
    policy::Settings settings;
    settings.window_rule = rule;
    settings.folded_weight = weight;
    return settings;
}

policy::RunningJob behind(std::uint32_t id, int processes) {
    return backfilled(running_short(id, processes, {processes}, 500), 0);
}

const std::string coming = "wait 9: waits for cores that are being freed\n";

const Row rows[] = {
    // How deep.
    {"folded for a short job only as deep as it may be", deep(),
     snapshot({8}, {at_most_mpl(2, running_long(1, 8, {8}))}, {short_job(9, {4})}),
     "resize 1: 0:4\n" + coming},
    {"not folded if that is not deep enough", deep(),
     snapshot({8}, {at_most_mpl(2, running_long(1, 8, {8}))}, {short_job(9, {5})}),
     "wait 9: waits for 5 cores\n"},
    {"others are folded deeper in its place", deep(),
     snapshot({8}, {at_most_mpl(1, running_long(1, 4, {4})), running_long(2, 4, {4})},
              {short_job(9, {3})}),
     "resize 2: 0:1\n" + coming},
    {"deeper already than it may be: as it is, and may grow", deep(),
     snapshot({8}, {at_most_mpl(1, running_long(1, 8, {4}))}, {}), "resize 1: 0:8\n"},
    {"deeper already than it may be: no further", deep(),
     snapshot({8}, {at_most_mpl(2, running_long(1, 24, {8}))}, {short_job(9, {2})}),
     "wait 9: waits for 2 cores\n"},
    {"not halved beyond it", deep("folding"),
     snapshot({8}, {at_most_mpl(2, running_long(1, 8, {8}))}, {short_job(9, {6})}),
     "wait 9: waits for 6 cores\n"},
    {"started no denser than it may be", deep(),
     snapshot({8}, {running(1, {4})}, {at_most_mpl(2, long_job(9, {8, 16}))}),
     "start 9: 8 on 1x4 mpl 2\n"},
    {"not started folded if it may not be", deep(),
     snapshot({8}, {running(1, {4})}, {at_most_mpl(1, long_job(9, {8}))}),
     "wait 9: waits for 8 cores\n"},
    {"at the end of its window only as deep as it may be", by(WindowRule::order),
     snapshot({8}, {at_most_mpl(2, behind(11, 8))}, {long_job(9, {4})}),
     "resize 11: 0:4\n" + coming},
    {"its window does not end if it may not be folded", by(WindowRule::order),
     snapshot({8}, {at_most_mpl(1, behind(11, 8))}, {long_job(9, {4})}),
     "wait 9: waits for 4 cores\n"},
    {"not let in for longer than the window if it may not be folded then", by(WindowRule::order),
     snapshot({8}, {running(1, {4}, 50)},
              {long_job(9, {8}), at_most_mpl(1, short_job(11, {4}, 100))}),
     "wait 9: waits for 8 cores\nwait 11: would delay job 9\n"},
    {"let in if it ends by then", by(WindowRule::order),
     snapshot({8}, {running(1, {4}, 50)},
              {long_job(9, {8}), at_most_mpl(1, short_job(11, {4}, 50))}),
     "wait 9: waits for 8 cores\nstart 11: 4 on 1x4 backfilled until 50\n"},
    // Who is first.
    {"of equals, the one that arrived first is folded", deep(),
     snapshot({8}, {lost(9, running_long(1, 4, {4})), running_long(2, 4, {4})},
              {short_job(9, {2})}),
     "resize 1: 0:2\n" + coming},
    {"lost time makes it younger", fair(),
     snapshot({8}, {lost(9, running_long(1, 4, {4})), running_long(2, 4, {4})},
              {short_job(9, {2})}),
     "resize 2: 0:2\n" + coming},
    {"in halving it makes it older", fair("folding"),
     snapshot({8}, {running_long(1, 4, {4}), lost(9, running_long(2, 4, {4}))},
              {short_job(9, {2})}),
     "resize 1: 0:2\n" + coming},
    {"a window is older without lost time", by(WindowRule::order, 100),
     snapshot({8}, {lost(9, behind(11, 4)), behind(12, 4)}, {long_job(9, {3})}),
     "resize 12: 0:1\n" + coming},
    {"who lost more grows first", fair(),
     snapshot({5}, {running_long(1, 8, {2}), lost(9, running_long(2, 8, {2}))}, {}),
     "resize 2: 0:3\n"},
};

START_TEST(decides) {
    check_row(rows[_i]);
}
END_TEST

} // namespace

Suite *limits_suite() {
    return suite_of("limits", rows, decides);
}
