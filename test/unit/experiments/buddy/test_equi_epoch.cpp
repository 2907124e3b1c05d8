// SPDX-License-Identifier: GPL-2.0-or-later
//
// EQUI-EPOCH: the worked examples of McCann's thesis, where it is the best and where it is not.
#include "experiments/buddy/equi_epoch.hpp"
#include "experiments/buddy/optimum.hpp"
#include "jobs.hpp"
#include "run.hpp"

#include <stdexcept>

namespace {

using namespace vmall::policy::buddy;
using jobs::Minima;

struct Example {
    const char *name;
    Schedule (*policy)(int, const Minima &);
    int processors;
    Minima minima;
    const char *rectangles;
    int epochs;
    int reallocated;
};

const Example examples[] = {
    {"figure 6.7",
     equi_epoch_schedule,
     12,
     {2, 3, 3, 4, 4, 4, 5, 6},
     "4x3@0,0 4x3@4,0 4x3@8,0 4x3@0,3 4x3@4,3 4x3@8,3 6x2@0,6 6x2@6,6",
     3,
     36},
    {"figure 6.8a", equi_epoch_schedule, 140, Minima(10, 20),
     "20x7@0,0 20x7@20,0 20x7@40,0 20x7@60,0 20x7@80,0 20x7@100,0 20x7@120,0 "
     "70x2@0,7 70x2@70,7 140x1@0,9",
     3, 420},
    {"figure 6.9a",
     equi_epoch_schedule,
     16,
     {4, 4, 4, 4, 8},
     "4x4@0,0 4x4@4,0 4x4@8,0 4x4@12,0 16x1@0,4",
     2,
     32},
    {"figure 6.9b",
     largest_first_epoch_schedule,
     16,
     {4, 4, 4, 4, 8},
     "16x1@0,4 8x2@8,2 8x2@0,2 8x2@8,0 8x2@0,0",
     3,
     48},
    {"figure 6.10",
     equi_epoch_schedule,
     16,
     {2, 2, 4, 4, 4, 8, 8, 8},
     "4x4@0,0 4x4@4,0 4x4@8,0 4x4@12,0 8x2@0,4 8x2@8,4 8x2@0,6 8x2@8,6",
     3,
     48},
    {"in any order", equi_epoch_schedule, 4, {4, 1, 1}, "4x1@0,2 2x2@0,0 2x2@2,0", 2, 8},
    {"one epoch: nobody is reallocated",
     equi_epoch_schedule,
     6,
     {2, 2, 2},
     "2x3@0,0 2x3@2,0 2x3@4,0",
     1,
     0},
    {"more jobs than processors",
     equi_epoch_schedule,
     2,
     {1, 1, 1},
     "1x2@0,0 1x2@1,0 2x1@0,2",
     2,
     4},
};

START_TEST(worked_example) {
    const Example &row = examples[_i];
    const auto schedule = row.policy(row.processors, row.minima);
    ck_assert_msg(jobs::to_text(schedule) == row.rectangles, "%s: %s", row.name,
                  jobs::to_text(schedule).c_str());
    ck_assert_int_eq(epochs(schedule), row.epochs);
    ck_assert_int_eq(reallocated_processors(schedule), row.reallocated);
    ck_assert_text(jobs::fault(schedule, row.minima), "");
}
END_TEST

// Figure 6.8b has two epochs of five jobs.
START_TEST(is_not_the_best_on_140_processors) {
    ck_assert_int_eq(fewest_epochs(140, Minima(10, 20)), 2);
}
END_TEST

// Theorem 6.5, on everything that is small and on random mixes.
START_TEST(no_epochs_are_fewer_on_a_power_of_two) {
    for (const int processors : {1, 2, 4, 8, 16}) {
        for (int count = 1; count <= 8; count++) {
            for (const auto &minima : all_mixes(jobs::powers_of_two(processors), count)) {
                const auto schedule = equi_epoch_schedule(processors, minima);
                ck_assert_int_eq(epochs(schedule), fewest_epochs(processors, minima));
            }
        }
    }
    std::mt19937_64 random(605);
    for (int run = 0; run < 5000; run++) {
        const int processors = 1 << (random() % 9);
        const auto minima = jobs::random_mix(random, processors, 1 + random() % 50);
        ck_assert_int_eq(epochs(equi_epoch_schedule(processors, minima)),
                         fewest_epochs(processors, minima));
    }
}
END_TEST

START_TEST(never_fewer_epochs_than_possible_and_always_a_schedule) {
    std::mt19937_64 random(606);
    for (int run = 0; run < 5000; run++) {
        const int processors = 1 + static_cast<int>(random() % 150);
        const auto minima = jobs::random_mix(random, processors, 1 + random() % 30);
        for (const auto policy : {equi_epoch_schedule, largest_first_epoch_schedule}) {
            const auto schedule = policy(processors, minima);
            ck_assert_text(jobs::fault(schedule, minima), "");
            ck_assert_int_ge(epochs(schedule), fewest_epochs(processors, minima));
        }
    }
}
END_TEST

START_TEST(refuses) {
    const auto text = refusal<std::invalid_argument>([] { equi_epoch_schedule(4, {5}); });
    ck_assert_contains(text, "at least 5 processors");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("equi_epoch");
    tcase_add_loop_test(tests, worked_example, 0, std::size(examples));
    tcase_add_test(tests, is_not_the_best_on_140_processors);
    tcase_add_test(tests, no_epochs_are_fewer_on_a_power_of_two);
    tcase_add_test(tests, never_fewer_epochs_than_possible_and_always_a_schedule);
    tcase_add_test(tests, refuses);
    return run("equi_epoch", tests);
}
