// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search for the best schedule, against cases worked out by hand and a search that assumes
// less.
#include "experiments/buddy/optimum.hpp"
#include "jobs.hpp"
#include "run.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace {

using namespace vmall::policy::buddy;
using jobs::Minima;

std::vector<int> up_to(int highest) {
    std::vector<int> all(highest);
    std::iota(all.begin(), all.end(), 1);
    return all;
}

START_TEST(all_mixes_of_small_cases) {
    ck_assert((all_mixes({1, 2, 4}, 2) ==
               std::vector<Minima>{{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 4}}));
    ck_assert_uint_eq(all_mixes({1, 2, 3, 4, 5}, 6).size(), 210); // 10 over 4
}
END_TEST

START_TEST(all_widths_of_small_cases) {
    ck_assert((possible_widths(2, 2, up_to(2)) == std::set<Widths>{{1, 1}, {2, 2}}));
    ck_assert((possible_widths(3, 2, up_to(3)) == std::set<Widths>{{3, 3}}));
    ck_assert(
        (possible_widths(3, 3, up_to(3)) == std::set<Widths>{{1, 1, 1}, {2, 2, 1}, {3, 3, 3}}));
    // One job on all four processors for a third, two side by side for the rest; but not
    // {3, 3, …}, which leaves a column of two thirds and no third job to fill it.
    ck_assert((possible_widths(4, 3, up_to(4)) == std::set<Widths>{{4, 2, 2}, {4, 4, 4}}));
    ck_assert((possible_widths(4, 3, {2, 4}) == std::set<Widths>{{4, 2, 2}, {4, 4, 4}}));
    ck_assert(possible_widths(4, 3, {2}).empty());
}
END_TEST

START_TEST(fewest_reallocated_of_small_cases) {
    const auto three = possible_widths(3, 3, up_to(3));
    ck_assert_int_eq(fewest_reallocated(3, {1, 1, 1}, three), 0);
    ck_assert_int_eq(fewest_reallocated(3, {2, 1, 1}, three), 4);
    ck_assert_int_eq(fewest_reallocated(3, {1, 2, 2}, three), 4);
    ck_assert_int_eq(fewest_reallocated(3, {2, 2, 2}, three), 9);
    ck_assert_int_eq(fewest_reallocated(3, {3, 1, 1}, three), 9);
    ck_assert_contains(refusal<std::invalid_argument>([&] {
                           fewest_reallocated(3, {1, 1}, three);
                       }),
                       "no choice of widths");
}
END_TEST

// Any partition of the jobs, not only neighbours of the sorted ones.
int fewest_epochs_of_all_partitions(int processors, const Minima &minima) {
    const int all = (1 << minima.size()) - 1;
    std::vector<int> fewest(all + 1, static_cast<int>(minima.size()));
    fewest[0] = 0;
    for (int set = 1; set <= all; set++) {
        for (int epoch = set; epoch > 0; epoch = (epoch - 1) & set) {
            const int count = __builtin_popcount(epoch);
            bool fits = processors % count == 0;
            for (std::size_t job = 0; job < minima.size(); job++)
                fits = fits && ((epoch >> job & 1) == 0 || minima[job] <= processors / count);
            if (fits)
                fewest[set] = std::min(fewest[set], 1 + fewest[set & ~epoch]);
        }
    }
    return fewest[all];
}

START_TEST(sorted_jobs_allow_the_fewest_epochs) {
    for (const int processors : {1, 4, 6, 12}) {
        for (int count = 1; count <= 5; count++) {
            for (const auto &minima : all_mixes(jobs::divisors(processors), count)) {
                ck_assert_int_eq(fewest_epochs(processors, minima),
                                 fewest_epochs_of_all_partitions(processors, minima));
            }
        }
    }
    std::mt19937_64 random(607);
    for (int run = 0; run < 200; run++) {
        const int processors = 1 + static_cast<int>(random() % 60);
        const auto minima = jobs::random_mix(random, processors, 1 + random() % 8);
        ck_assert_int_eq(fewest_epochs(processors, minima),
                         fewest_epochs_of_all_partitions(processors, minima));
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("optimum");
    tcase_add_test(tests, all_mixes_of_small_cases);
    tcase_add_test(tests, all_widths_of_small_cases);
    tcase_add_test(tests, fewest_reallocated_of_small_cases);
    tcase_add_test(tests, sorted_jobs_allow_the_fewest_epochs);
    return run("optimum", tests);
}
