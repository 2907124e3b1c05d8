// SPDX-License-Identifier: GPL-2.0-or-later
//
// What reports of a job's nodes say of it, one after the other.
#include "wire/useful_share.hpp"

#include "run.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

using namespace vmall;
using namespace vmall::wire;

namespace {

constexpr int unknown = 0;

// Sums over the ranks since they started, in seconds.
struct Report {
    std::int64_t at;
    double useful, waiting;
    std::uint64_t messages = 0;
    int mpl = 1;
    std::uint32_t tasks = 4, attached = 4;
    std::int64_t suspended = 0;
    std::uint32_t hand_over_ns = 0;
};

struct Row {
    const char *what;
    std::vector<Report> reports;
    int unfolded, reckoned; // percent
    int folding = 0;        // 0: not known
    int expected = -1;      // -1: not looked at
};

// Of four ranks that send 10,000 messages a second each for a minute.
constexpr std::uint64_t many = 2'400'000;

Report at_price(Report report, std::uint32_t hand_over_ns) {
    report.hand_over_ns = hand_over_ns;
    return report;
}

const Row rows[] = {
    {"no report", {}, unknown, 100},
    {"a single one", {{60, 100, 140}}, unknown, 100},
    {"half of the time", {{60, 100, 140}, {120, 220, 260}}, 50, 50},
    {"a time of half a minute", {{60, 100, 140}, {90, 160, 200}}, 50, 50},
    {"nothing but waiting", {{60, 0, 240}, {120, 0, 480}}, 1, 1},
    {"hardly anything", {{60, 0, 240}, {120, 0.1, 479.9}}, 1, 1},
    {"never waiting", {{60, 240, 0}, {120, 480, 0}}, 100, 100},
    {"the last interval counts half", {{60, 0, 240}, {120, 120, 360}, {180, 360, 360}}, 75, 75},

    // Nothing that could be believed.
    {"other ranks", {{60, 100, 140}, {120, 90, 400}}, unknown, 100},
    {"that waited less", {{60, 100, 140}, {120, 400, 130}}, unknown, 100},
    {"that are more", {{60, 100, 140}, {120, 220, 260, 0, 1, 5, 5}}, unknown, 100},
    {"some of them unattached",
     {{60, 100, 140, 0, 1, 4, 3}, {120, 190, 230, 0, 1, 4, 3}},
     unknown,
     100},
    {"none of them", {{60, 0, 0, 0, 1, 0, 0}, {120, 0, 0, 0, 1, 0, 0}}, unknown, 100},
    {"longer lives than time has passed", {{60, 100, 140}, {120, 1000, 260}}, unknown, 100},
    {"shorter ones", {{60, 100, 140}, {120, 110, 150}}, unknown, 100},
    {"no time has passed", {{60, 100, 140}, {60, 102, 142}}, unknown, 100},
    {"a clock that went back", {{60, 100, 140}, {50, 102, 142}}, unknown, 100},
    {"it was suspended", {{60, 100, 140}, {120, 220, 260, 0, 1, 4, 4, 10}}, unknown, 100},
    {"messages are fewer", {{60, 100, 140, 9}, {120, 220, 260, 8}}, unknown, 100},
    {"it was folded in between", {{60, 100, 140}, {120, 220, 260, 0, 2}}, unknown, 100},
    {"never seen unfolded", {{60, 100, 140, 0, 2}, {120, 220, 260, 0, 2}}, unknown, 100},

    // What a fold has cost.
    {"nothing, as promised",
     {{0, 0, 0}, {60, 120, 120}, {60, 120, 120, 0, 2}, {120, 240, 240, 0, 2}},
     50,
     50},
    {"the ranks get less of their cores",
     {{0, 0, 0}, {60, 120, 120}, {60, 120, 120, 0, 2}, {120, 180, 300, 0, 2}},
     50,
     75},
    {"no more than turns can cost",
     {{0, 0, 0}, {60, 120, 120}, {60, 120, 120, 0, 2}, {120, 121, 359, 0, 2}},
     50,
     75},
    {"they compute as much, but send less",
     {{0, 0, 0, 0}, {60, 120, 120, 48000}, {60, 120, 120, 48000, 2}, {120, 240, 240, 72000, 2}},
     50,
     75,
     200},
    {"so few messages say nothing",
     {{0, 0, 0, 0}, {60, 120, 120, 48}, {60, 120, 120, 48, 2}, {120, 240, 240, 50, 2}},
     50,
     50},
    {"who never waits loses what it must",
     {{0, 0, 0}, {60, 240, 0}, {60, 240, 0, 0, 2}, {120, 360, 120, 0, 2}},
     100,
     100},
    {"and more if it sends less than half",
     {{0, 0, 0, 0}, {60, 240, 0, 48000}, {60, 240, 0, 48000, 2}, {120, 360, 120, 64000, 2}},
     100,
     100,
     150},
    {"another program",
     {{0, 0, 0, 0}, {60, 240, 0, 48000}, {60, 240, 0, 48000, 2}, {120, 360, 120, 48000, 2}},
     100,
     100,
     500},

    // What a hand-over for each message makes one expect before.
    {"dear hand-overs", {{0, 0, 0}, at_price({60, 120, 120, many}, 12000)}, 50, 62, unknown, 62},
    {"cheap ones", {{0, 0, 0}, at_price({60, 120, 120, many}, 1000)}, 50, 51, unknown, 51},
    {"dear ones of who never waits",
     {{0, 0, 0}, at_price({60, 240, 0, many}, 12000)},
     100,
     100,
     unknown,
     112},
    {"of who does nothing else",
     {{0, 0, 0}, at_price({60, 0, 240, many}, 250000)},
     1,
     100,
     unknown,
     251},
    {"none without messages", {{0, 0, 0}, at_price({60, 120, 120}, 12000)}, 50, 50, unknown, 50},
    {"folding has cost less",
     {{0, 0, 0, 0},
      at_price({60, 120, 120, many}, 50000),
      {60, 120, 120, many, 2},
      at_price({120, 240, 240, many + many * 4 / 5, 2}, 50000)},
     50,
     81,
     125,
     63},
    {"folding has cost more",
     {{0, 0, 0, 0},
      at_price({60, 120, 120, many}, 12000),
      {60, 120, 120, many, 2},
      at_price({120, 240, 240, many + many / 2, 2}, 12000)},
     50,
     81,
     200,
     62},
    {"what it has cost counts, unfolded again",
     {{0, 0, 0, 0},
      at_price({60, 120, 120, many}, 50000),
      {60, 120, 120, many, 2},
      at_price({120, 240, 240, many + many * 4 / 5, 2}, 50000),
      {120, 240, 240, 2 * many},
      at_price({180, 360, 360, 3 * many}, 50000)},
     50,
     81,
     125,
     63},
};

UsefulShare after(const std::vector<Report> &reports) {
    constexpr double second = 1e9;
    UsefulShare share;
    for (const Report &report : reports) {
        wire::RankReport ranks;
        ranks.tasks = report.tasks;
        ranks.attached = report.attached;
        ranks.useful_ns = static_cast<std::uint64_t>(report.useful * second);
        ranks.waiting_ns = static_cast<std::uint64_t>(report.waiting * second);
        ranks.messages = report.messages;
        share.note(ranks, report.at,
                   {4, 4 / report.mpl, 1, report.mpl, report.suspended, report.hand_over_ns});
    }
    return share;
}

START_TEST(reports_tell_the_share) {
    const Row &row = rows[_i];
    const UsefulShare share = after(row.reports);
    ck_assert_msg(share.unfolded_percent().value_or(unknown) == row.unfolded, "%s: %d", row.what,
                  share.unfolded_percent().value_or(unknown));
    ck_assert_msg(share.reckoned_percent() == row.reckoned, "%s: reckoned %d", row.what,
                  share.reckoned_percent());
    ck_assert_msg(share.folding_percent().value_or(unknown) == row.folding, "%s: folding %d",
                  row.what, share.folding_percent().value_or(unknown));
    ck_assert_msg(row.expected < 0 || share.expected_percent() == row.expected, "%s: expected %d",
                  row.what, share.expected_percent());
}
END_TEST

START_TEST(the_last_interval_is_told_apart) {
    const UsefulShare share = after({{0, 0, 0}, {60, 120, 120}, {120, 312, 168}});
    ck_assert_int_eq(share.unfolded_percent().value(), 65);
    ck_assert_int_eq(share.last_unfolded_percent().value(), 80);
    ck_assert(!UsefulShare(40, 150).last_unfolded_percent());
}
END_TEST

START_TEST(a_move_begins_anew) {
    UsefulShare share = after({{60, 100, 140}});
    share.begin_anew();
    wire::RankReport ranks{4, 4, 220'000'000'000, 260'000'000'000, 0, 0, 0};
    share.note(ranks, 120, {4, 4, 1, 1, 0});
    ck_assert(!share.unfolded_percent());
}
END_TEST

START_TEST(speed_ups_are_by_cores_and_the_last_is_last) {
    const UsefulShare share = after({{0, 0, 0},
                                     {60, 120, 120},
                                     {60, 120, 120, 0, 2},
                                     {120, 216, 264, 0, 2},
                                     {120, 216, 264},
                                     {180, 360, 360}});
    ck_assert_uint_eq(share.speedups().size(), 2);
    ck_assert_int_eq(share.speedups()[0].processors, 2);
    ck_assert_double_eq_tol(share.speedups()[0].speedup, 1.6, 1e-6);
    ck_assert_int_eq(share.speedups()[1].processors, 4);
    ck_assert_double_eq_tol(share.speedups()[1].speedup, 2.4, 1e-6);
}
END_TEST

START_TEST(what_was_saved_is_known_again) {
    const UsefulShare restored(40, 150);
    ck_assert_int_eq(restored.unfolded_percent().value(), 40);
    ck_assert_int_eq(restored.cost_percent(), 150);
    ck_assert_int_eq(restored.reckoned_percent(), 60);
}
END_TEST

START_TEST(what_cannot_have_been_saved_does_no_harm) {
    ck_assert_int_eq(UsefulShare(-5, -5).reckoned_percent(), 1);
    ck_assert_int_eq(UsefulShare(1000, 1000000).reckoned_percent(), 100);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("useful share");
    tcase_add_loop_test(tests, reports_tell_the_share, 0, static_cast<int>(std::size(rows)));
    tcase_add_test(tests, the_last_interval_is_told_apart);
    tcase_add_test(tests, a_move_begins_anew);
    tcase_add_test(tests, speed_ups_are_by_cores_and_the_last_is_last);
    tcase_add_test(tests, what_was_saved_is_known_again);
    tcase_add_test(tests, what_cannot_have_been_saved_does_no_harm);
    return run("useful share", tests);
}
