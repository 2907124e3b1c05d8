// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sets of process counts, beside a plain set that counts one by one.
#include "common/sizes.hpp"
#include "run.hpp"

#include <algorithm>
#include <climits>
#include <random>
#include <set>

using vmall::common::Sizes;

namespace {

using Ranges = std::vector<Sizes::Range>;

struct Row {
    Ranges given;
    std::vector<int> holds;
    std::size_t ranges;
};

const std::vector<Row> rows = {
    {{}, {}, 0},
    {{{3, 3}}, {3}, 1},
    {{{3, 2}}, {}, 0},
    {{{1, 4}}, {1, 2, 3, 4}, 1},
    {{{3, 4}, {1, 2}}, {1, 2, 3, 4}, 1},
    {{{1, 5}, {2, 3}}, {1, 2, 3, 4, 5}, 1},
    {{{7, 8}, {1, 2}, {4, 4}}, {1, 2, 4, 7, 8}, 3},
    {{{2, 2}, {2, 2}, {2, 3}}, {2, 3}, 1},
    {{{-4, -4}, {0, 0}}, {-4, 0}, 2},
    {{{INT_MIN, INT_MIN}, {INT_MAX, INT_MAX}}, {INT_MIN, INT_MAX}, 2},
};

START_TEST(ranges_hold_what_is_in_one_of_them) {
    const Row &row = rows[static_cast<std::size_t>(_i)];
    const Sizes sizes(row.given);
    ck_assert(sizes.empty() == row.holds.empty());
    ck_assert_uint_eq(sizes.ranges().size(), row.ranges);
    ck_assert_int_eq(sizes.count(), static_cast<int>(row.holds.size()));
    ck_assert(sizes == Sizes(row.holds));
    for (std::size_t i = 0; i < row.holds.size(); ++i) {
        ck_assert(sizes.contains(row.holds[i]));
        ck_assert_int_eq(sizes.at(static_cast<int>(i)), row.holds[i]);
    }
    if (!row.holds.empty()) {
        ck_assert_int_eq(sizes.smallest(), row.holds.front());
        ck_assert_int_eq(sizes.largest(), row.holds.back());
    }
}
END_TEST

START_TEST(a_wide_range_is_one) {
    const Sizes all = Sizes::from_to(1, 65536);
    ck_assert_uint_eq(all.ranges().size(), 1);
    ck_assert_int_eq(all.count(), 65536);
    ck_assert_int_eq(all.at(65535), 65536);
    ck_assert(!all.contains(0) && all.contains(1) && all.contains(65536) && !all.contains(65537));
    ck_assert(!all.largest_up_to(0));
    ck_assert_int_eq(all.largest_up_to(INT_MAX).value(), 65536);
}
END_TEST

std::optional<int> largest_up_to(const std::set<int> &plain, int most) {
    const auto above = plain.upper_bound(most);
    return above == plain.begin() ? std::nullopt : std::optional(*std::prev(above));
}

void compare(const Sizes &sizes, const std::set<int> &plain) {
    ck_assert(sizes.one_by_one() == std::vector<int>(plain.begin(), plain.end()));
    for (int size = -1; size <= 32; ++size) {
        ck_assert(sizes.contains(size) == (plain.count(size) > 0));
        ck_assert(sizes.largest_up_to(size) == largest_up_to(plain, size));
    }
}

START_TEST(the_same_as_one_by_one) {
    std::mt19937 random(static_cast<unsigned>(_i));
    const auto upto = [&](int most) { return static_cast<int>(random() % (most + 1u)); };
    Sizes sizes;
    std::set<int> plain;
    for (int i = upto(12); i > 0; --i) {
        const int size = upto(30);
        sizes.add(size);
        plain.insert(size);
    }
    compare(sizes, plain);
    const int first = upto(30), last = upto(30);
    sizes.keep_within(first, last);
    for (auto size = plain.begin(); size != plain.end();)
        size = *size < first || *size > last ? plain.erase(size) : std::next(size);
    compare(sizes, plain);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("sizes");
    tcase_add_loop_test(tests, ranges_hold_what_is_in_one_of_them, 0,
                        static_cast<int>(rows.size()));
    tcase_add_test(tests, a_wide_range_is_one);
    tcase_add_loop_test(tests, the_same_as_one_by_one, 0, 200);
    return run("sizes", tests);
}
