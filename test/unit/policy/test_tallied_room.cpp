// SPDX-License-Identifier: GPL-2.0-or-later
//
// A room counts its nodes as a look at each of them does.
#include "policy/least_work/room_to_deal.hpp"
#include "suites.hpp"

#include <random>

namespace {

using namespace vmall::policy;
using least_work::RoomToDeal;
using least_work::TalliedRoom;

constexpr int most_cores = 8;

std::size_t nodes_with(const Room &room, int cores_each) {
    return static_cast<std::size_t>(std::count_if(
        room.begin(), room.end(), [&](int cores) { return cores >= cores_each; }));
}

int cores_there(const Room &room) {
    int sum = 0;
    for (const int cores : room)
        sum += std::max(cores, 0);
    return sum;
}

void check(const TalliedRoom &tallied, const Room &room) {
    ck_assert(std::equal(room.begin(), room.end(), tallied.room().begin(), tallied.room().end()));
    ck_assert_int_eq(tallied.cores(), cores_there(room));
    for (int cores = 1; cores <= most_cores + 2; cores++) {
        const std::size_t nodes = nodes_with(room, cores);
        ck_assert(tallied.has(nodes, cores));
        ck_assert(!tallied.has(nodes + 1, cores));
    }
}

START_TEST(counts_what_is_there) {
    check(TalliedRoom(Room{}), Room{});
    check(TalliedRoom(Room{0, 3, 8, 3}), Room{0, 3, 8, 3});
    check(TalliedRoom(Room{-2, 3}), Room{-2, 3});
}
END_TEST

START_TEST(counts_what_is_given_and_taken) {
    std::mt19937 random(static_cast<std::uint32_t>(_i));
    Room room(5, most_cores / 2);
    TalliedRoom tallied(room);
    for (int step = 0; step < 50; step++) {
        const auto node = static_cast<std::uint32_t>(random() % room.size());
        const CoreCounts cores{{{node}, 1 + static_cast<int>(random() % 4)}};
        if (room[node] + cores[0].cores > most_cores || random() % 2 == 0) {
            room -= cores;
            tallied -= cores;
        } else {
            room += cores;
            tallied += cores;
        }
        check(tallied, room);
    }
}
END_TEST

START_TEST(memory_goes_along) {
    Room room{4};
    room.memory = {512};
    TalliedRoom tallied(room);
    tallied -= MemoryCounts{{{0}, 500}};
    ck_assert_int_eq(tallied.room().memory[0], 12);
    tallied += MemoryCounts{{{0}, 100}};
    ck_assert_int_eq(tallied.room().memory[0], 112);
}
END_TEST

START_TEST(what_is_withheld_is_not_for_those_that_wait) {
    RoomToDeal room(Room{4, 4}, Room{1, 2});
    room -= CoreCounts{{{0}, 1}};
    ck_assert_int_eq(room.for_running()[0], 3);
    check(room.for_waiting(), Room{2, 2});
    room.take_withheld(CoreCounts{{{0}, 1}});
    ck_assert_int_eq(room.for_running()[0], 2);
    ck_assert_int_eq(room.for_running()[1], 4);
    check(room.for_waiting(), Room{2, 2});
}
END_TEST

} // namespace

Suite *tallied_room_suite() {
    Suite *suite = suite_create("tallied room");
    TCase *cases = tcase_create("tallied room");
    tcase_add_test(cases, counts_what_is_there);
    tcase_add_loop_test(cases, counts_what_is_given_and_taken, 0, 100);
    tcase_add_test(cases, memory_goes_along);
    tcase_add_test(cases, what_is_withheld_is_not_for_those_that_wait);
    suite_add_tcase(suite, cases);
    return suite;
}
