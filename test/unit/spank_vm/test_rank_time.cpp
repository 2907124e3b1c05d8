// SPDX-License-Identifier: GPL-2.0-or-later
//
// What of a rank's life is of use. Times are in seconds.
#include "spank_vm/agent/rank_time.hpp"

#include "run.hpp"

#include <iterator>
#include <limits>

using namespace vmall::agent;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max() / second;
constexpr std::uint64_t unknown = highest;

struct Row {
    const char *what;
    std::uint64_t waiting, until_turn; // as it wrote itself
    std::uint64_t age, awake;
    std::uint64_t useful;
};

const Row rows[] = {
    {"computes", 0, 0, 100, 100, 100},
    {"polls for half of its time", 50, 0, 100, 100, 50},
    {"does nothing but poll", 100, 0, 100, 100, 0},
    {"sleeps for half of its time", 0, 0, 100, 50, 50},
    {"reads files for a third, polls for another", 30, 0, 90, 60, 30},
    {"does nothing but sleep", 0, 0, 100, 0, 0},
    {"folded, asleep until its turn", 75, 75, 100, 25, 25},
    {"folded, and polls", 80, 75, 100, 25, 20},
    {"folded, and sleeps elsewhere", 50, 50, 100, 25, 25},
    {"folded, and woke up slowly", 75, 75, 100, 40, 25},
    {"computes on several threads", 20, 0, 100, 400, 80},
    {"nobody knows whether it sleeps", 30, 0, 100, unknown, 70},
    {"was born just now", 0, 0, 0, 0, 0},

    // What only a liar writes.
    {"waited for longer than it lived", highest, 0, 100, 100, 0},
    {"waits more than it is awake", 80, 0, 100, 50, 0},
    {"slept for more than it waited", 10, highest, 100, 50, 50},
    {"slept without having waited", 0, highest, 100, 50, 50},
    {"all at once", highest, highest, 100, 50, 0},
};

START_TEST(of_use_is_what_a_rank_neither_waits_nor_sleeps) {
    const Row &row = rows[_i];
    RankSlot slot;
    slot.waiting_ns = row.waiting * second;
    slot.asleep_ns = row.until_turn * second;
    const auto awake = row.awake == unknown ? std::nullopt : std::optional(row.awake * second);
    const RankTime time = rank_time(slot, row.age * second, awake);
    ck_assert_msg(time.useful_ns == row.useful * second, "%s: %lu ns of use", row.what,
                  time.useful_ns);
    ck_assert_msg(time.waiting_ns == (row.age - row.useful) * second, "%s: %lu ns waiting",
                  row.what, time.waiting_ns);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("rank time");
    tcase_add_loop_test(tests, of_use_is_what_a_rank_neither_waits_nor_sleeps, 0,
                        static_cast<int>(std::size(rows)));
    return run("rank_time", tests);
}
