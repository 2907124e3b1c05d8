// SPDX-License-Identifier: GPL-2.0-or-later
//
// When there is room for a job, by what comes free: the same as by a look at one time after
// another.
#include "policy/least_work/releases.hpp"
#include "policy/time.hpp"
#include "suites.hpp"

#include <random>
#include <set>

namespace {

using namespace vmall::policy;
using least_work::Releases;

NodeCores cores(std::uint32_t node, int count) {
    return {{node}, count};
}

bool has_two_each(const Room &room) {
    return room[0] >= 2 && room[1] >= 2;
}

Releases some_releases() {
    Releases releases;
    releases.add(300, {cores(0, 4)}, {});
    releases.add(100, {cores(0, 1), cores(1, 1)}, {});
    releases.add(200, {cores(0, 1)}, {});
    releases.add(200, {cores(1, 1)}, {});
    releases.add(never, {cores(0, 9)}, {});
    return releases;
}

struct Row {
    const char *what;
    Seconds earliest;
    Room room;
    std::optional<Seconds> time;
    std::vector<int> then;
};

const Row rows[] = {
    {"at once", 1, {2, 2}, 1, {2, 2}},
    {"with all that comes at that time", 1, {0, 0}, 200, {2, 2}},
    {"with the first", 1, {1, 1}, 100, {2, 2}},
    {"with what has come before it may start", 250, {0, 0}, 250, {2, 2}},
    {"with the last", 1, {-4, 0}, 300, {2, 2}},
    {"with what comes nobody knows when", 1, {-5, 0}, {}, {}},
    {"if it may start then", never, {-5, 0}, never, {10, 2}},
    {"not at all", 1, {0, -9}, {}, {}},
};

START_TEST(finds_the_first_time) {
    const Row &row = rows[_i];
    Room room = row.room;
    ck_assert_msg(some_releases().first_fit(row.earliest, 4, room, has_two_each) == row.time, "%s",
                  row.what);
    ck_assert_msg(!row.time || std::equal(room.begin(), room.end(), row.then.begin()), "%s",
                  row.what);
}
END_TEST

START_TEST(memory_comes_free_with_cores) {
    Releases releases;
    releases.add(100, {cores(0, 1)}, {});
    releases.add(200, {cores(0, 1)}, {{{0}, 512}});
    Room room{4};
    room.memory = {512};
    const auto time =
        releases.first_fit(1, 1, room, [](const Room &then) { return then.memory[0] >= 1024; });
    ck_assert(time == Seconds{200});
    ck_assert_int_eq(room[0], 6);
    const auto fits_by = [&](Seconds latest) {
        Room then{4};
        then.memory = {512};
        return releases.fits_by(latest, 1, then, [](const Room &r) { return r.memory[0] >= 1024; });
    };
    ck_assert(!fits_by(199) && fits_by(200));
}
END_TEST

// By one look after another.
std::optional<Seconds> first_of(const std::multiset<std::pair<Seconds, std::uint32_t>> &all,
                                Room room, int wanted) {
    std::optional<Seconds> time = 1;
    for (auto next = all.begin();; time = next->first) {
        for (; next != all.end() && next->first <= *time; ++next)
            room += CoreCounts{cores(next->second, 1)};
        if (room[0] >= wanted && room[1] >= wanted)
            return time;
        if (next == all.end())
            return std::nullopt;
    }
}

START_TEST(the_same_as_one_look_after_another) {
    std::mt19937 random(static_cast<std::uint32_t>(_i));
    Releases releases;
    std::multiset<std::pair<Seconds, std::uint32_t>> all;
    for (std::uint32_t i = random() % 30; i > 0; i--) {
        const Seconds time = random() % 20;
        const std::uint32_t node = random() % 2;
        releases.add(time, {cores(node, 1)}, {});
        all.insert({time, node});
    }
    const int wanted = static_cast<int>(random() % 12);
    Room room(2, 0);
    const auto fits = [&](const Room &then) { return then[0] >= wanted && then[1] >= wanted; };
    const auto first = first_of(all, Room(2, 0), wanted);
    for (Seconds latest = 1; latest <= 20; latest++)
        ck_assert(releases.fits_by(latest, 2 * wanted, room, fits) == (first && *first <= latest));
    ck_assert(releases.first_fit(1, 2 * wanted, room, fits) == first);
}
END_TEST

} // namespace

Suite *releases_suite() {
    Suite *suite = suite_create("releases");
    TCase *cases = tcase_create("first fit");
    tcase_add_loop_test(cases, finds_the_first_time, 0, std::size(rows));
    tcase_add_test(cases, memory_comes_free_with_cores);
    tcase_add_loop_test(cases, the_same_as_one_look_after_another, 0, 300);
    suite_add_tcase(suite, cases);
    return suite;
}
