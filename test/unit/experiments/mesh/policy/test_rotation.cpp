// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rotation strings: McCann's figure 4.6, eq. 4.6 and 4.7, and what s. 4.4.2 proves of them.
#include "experiments/mesh/policy/rotation.hpp"
#include "suites.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace vmall::policy::mesh;

std::string random_string(std::mt19937_64 &random, int length) {
    std::string string;
    for (int i = 0; i < length; i++)
        string += random() % 2 == 0 ? 's' : 'b';
    return string;
}

bool holds_pair(const std::string &string, const char *pair) {
    return (string + string.front()).find(pair) != std::string::npos;
}

bool in_equilibrium(const std::string &string) {
    return !holds_pair(string, "ss") || !holds_pair(string, "bb");
}

const struct {
    int jobs;
    int cycle;
    int rotations;
} equations[] = {
    {1, 0, 0},   {2, 0, 0},  {3, 3, 2},  {4, 0, 0},    {5, 5, 4},       {6, 3, 2},   {7, 7, 2},
    {8, 0, 0},   {9, 9, 4},  {10, 5, 4}, {11, 11, 10}, {12, 3, 2},      {13, 13, 6}, {14, 7, 2},
    {15, 15, 2}, {16, 0, 0}, {20, 5, 4}, {23, 23, 18}, {171, 171, 170}, {256, 0, 0},
};

} // namespace

// "ssbbb" is figure 4.6a, "sbsbb" its figure b; the others follow by the rule.
START_TEST(figure_4_6_rotates_five_jobs) {
    const char *strings[] = {"ssbbb", "sbsbb", "bsbsb", "bbsbs", "sbbsb", "bsbbs", "sbsbb"};
    for (int i = 1; i < 7; i++)
        ck_assert_text(rotated(strings[i - 1]), strings[i]);
}
END_TEST

START_TEST(the_last_symbol_is_followed_by_the_first) {
    ck_assert_text(rotated("bs"), "sb");
    ck_assert_text(rotated("bbs"), "sbb");
    ck_assert_text(rotated("s"), "s");
}
END_TEST

START_TEST(equations_4_6_and_4_7) {
    const auto &row = equations[_i];
    ck_assert_int_eq(cycle_length(row.jobs), row.cycle);
    ck_assert_int_eq(rotations_per_cycle(row.jobs), row.rotations);
}
END_TEST

START_TEST(partitions_fill_the_machine) {
    for (int jobs = 1; jobs <= 1024; jobs++) {
        const auto counts = partition_counts(jobs);
        ck_assert_int_eq(counts.small + counts.large, jobs);
        const int cells = counts.small + 2 * counts.large;
        ck_assert_int_eq(cells & (cells - 1), 0);
    }
}
END_TEST

START_TEST(equilibrium_comes_within_the_number_of_the_rarer_size) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 5000; trial++) {
        std::string string = random_string(random, 1 + static_cast<int>(random() % 40));
        const auto small = std::count(string.begin(), string.end(), 's');
        const auto rarer = std::min<long>(small, static_cast<long>(string.size()) - small);
        for (long i = 0; i < rarer; i++)
            string = rotated(string);
        ck_assert_msg(in_equilibrium(string), "%s", string.c_str());
    }
}
END_TEST

// For a string as long as eq. 4.6 allows (odd), in equilibrium: it comes back after J rotations and
// no sooner, all jobs were given as many large partitions, and took part in f(J) rotations.
START_TEST(a_cycle_is_fair) {
    for (int jobs = 3; jobs <= 63; jobs += 2) {
        const auto counts = partition_counts(jobs);
        const std::string begin = std::string(counts.small, 's') + std::string(counts.large, 'b');
        std::string string = begin;
        for (int i = 0; i < jobs; i++)
            string = rotated(string);
        const std::string first = string;
        std::vector<int> large(jobs, 0);
        std::vector<int> changes(jobs, 0);
        for (int i = 0; i < cycle_length(jobs); i++) {
            ck_assert(i == 0 || string != first);
            const std::string next = rotated(string);
            for (int job = 0; job < jobs; job++) {
                large[job] += string[job] == 'b';
                changes[job] += string[job] != next[job];
            }
            string = next;
        }
        ck_assert_text(string, first);
        for (int job = 0; job < jobs; job++) {
            ck_assert_int_eq(large[job], counts.large);
            ck_assert_int_eq(changes[job], rotations_per_cycle(jobs));
        }
    }
}
END_TEST

TCase *rotation_tests() {
    TCase *tests = tcase_create("rotation");
    tcase_add_test(tests, figure_4_6_rotates_five_jobs);
    tcase_add_test(tests, the_last_symbol_is_followed_by_the_first);
    tcase_add_loop_test(tests, equations_4_6_and_4_7, 0, sizeof equations / sizeof equations[0]);
    tcase_add_test(tests, partitions_fill_the_machine);
    tcase_add_test(tests, equilibrium_comes_within_the_number_of_the_rarer_size);
    tcase_add_test(tests, a_cycle_is_fair);
    return tests;
}
