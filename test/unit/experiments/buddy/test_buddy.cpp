// SPDX-License-Identifier: GPL-2.0-or-later
//
// BUDDY: the worked examples of McCann's thesis, its lemmas, its optimality, its mesh.
#include "experiments/buddy/buddy.hpp"
#include "experiments/buddy/equi_epoch.hpp"
#include "experiments/buddy/frontier.hpp"
#include "experiments/buddy/optimum.hpp"
#include "jobs.hpp"
#include "run.hpp"
#include "submesh.hpp"

#include <algorithm>
#include <stdexcept>

namespace {

using namespace vmall::policy::buddy;
using jobs::Minima;

struct Example {
    const char *name;
    int processors;
    Minima minima;
    const char *rectangles;
    int reallocated;
};

const Example examples[] = {
    {"figure 6.2",
     16,
     {2, 2, 4, 8, 8, 8, 8, 16},
     "4x4@12,4 4x4@8,4 8x2@0,6 8x2@0,4 8x2@8,2 8x2@0,2 16x1@0,1 16x1@0,0",
     72},
    {"figure 6.4",
     16,
     {2, 2, 4, 4, 4, 8, 8, 8},
     "2x8@14,0 2x8@12,0 4x4@8,4 4x4@8,0 8x2@0,6 8x2@0,4 8x2@0,2 8x2@0,0",
     40},
    {"figure 6.11",
     16,
     {2, 2, 4, 4, 8, 8, 8, 8},
     "2x8@14,0 2x8@12,0 4x4@8,4 4x4@8,0 8x2@0,6 8x2@0,4 8x2@0,2 8x2@0,0",
     40},
    {"in any order, minima that are no powers of two",
     16,
     {3, 2, 7, 2, 5, 4, 5, 3},
     "4x4@8,4 2x8@14,0 8x2@0,0 2x8@12,0 8x2@0,4 8x2@0,6 8x2@0,2 4x4@8,0",
     40},
    {"one job", 4, {1}, "4x1@0,0", 0},
    {"all run all the time", 4, {1, 1}, "2x2@2,0 2x2@0,0", 0},
    {"more jobs than processors", 2, {1, 1, 2, 1}, "1x2@1,2 1x2@0,2 2x1@0,0 2x1@0,1", 6},
};

START_TEST(worked_example) {
    const Example &row = examples[_i];
    const auto schedule = buddy_schedule(row.processors, row.minima);
    ck_assert_msg(jobs::to_text(schedule) == row.rectangles, "%s: %s", row.name,
                  jobs::to_text(schedule).c_str());
    ck_assert_int_eq(reallocated_processors(schedule), row.reallocated);
    ck_assert_text(jobs::fault(schedule, row.minima), "");
}
END_TEST

START_TEST(figure_6_11_on_a_mesh_of_4_by_4) {
    const auto schedule = buddy_schedule(16, {2, 2, 4, 4, 8, 8, 8, 8});
    const std::vector<Submesh> expected = {{2, 3, 2, 1}, {2, 2, 2, 1}, {0, 2, 2, 2}, {0, 2, 2, 2},
                                           {0, 0, 4, 2}, {0, 0, 4, 2}, {0, 0, 4, 2}, {0, 0, 4, 2}};
    for (std::size_t job = 0; job < expected.size(); job++)
        ck_assert(submesh_of(schedule.jobs[job], 4, 4) == expected[job]);
}
END_TEST

// Lemma 6.1 for the example of figure 6.2: at 1/8 of the interval at most 1/8 more, at 1/4 at most
// 1/4.
START_TEST(height_forces_slots) {
    const int forced[] = {8, 1, 2, 1, 4, 1, 2, 1};
    for (int height = 0; height < 8; height++)
        ck_assert_int_eq(forced_slots({0, 16, height}, 8), forced[height]);
}
END_TEST

START_TEST(frontier_is_a_staircase_with_unique_denominators) {
    std::mt19937_64 random(601);
    for (int run = 0; run < 2000; run++) {
        const int processors = 1 << (random() % 8);
        const int slots = 1 << (random() % 7);
        auto minima = jobs::random_mix(random, processors, slots);
        std::sort(minima.begin(), minima.end());
        Frontier frontier(processors, slots);
        // Lemmas are about every partial schedule; replay the rectangles in BUDDY's order.
        const auto schedule = buddy_schedule(processors, minima);
        for (auto job = schedule.jobs.rbegin(); job != schedule.jobs.rend(); ++job) {
            std::vector<int> forced;
            for (const Segment &segment : frontier.segments()) {
                forced.push_back(forced_slots(segment, slots));
                // Lemma 6.2.
                ck_assert(&segment == &frontier.segments().front() ||
                          segment.height < (&segment - 1)->height);
            }
            // Lemma 6.3.
            std::sort(forced.begin(), forced.end());
            ck_assert(std::adjacent_find(forced.begin(), forced.end()) == forced.end());
            // Theorem 6.3's invariant: never wider than a job before, and there is room for that.
            ck_assert(job == schedule.jobs.rbegin() || job->processors <= (job - 1)->processors);
            ck_assert(frontier.place(job->processors, job->slots) == *job);
        }
        ck_assert(frontier.segments().empty());
    }
}
END_TEST

START_TEST(any_random_mix_is_scheduled) {
    std::mt19937_64 random(602);
    for (int run = 0; run < 2000; run++) {
        const int processors = 1 << (random() % 8);
        const int count = 1 + static_cast<int>(random() % 40);
        const auto minima = jobs::random_mix(random, processors, count);
        const auto schedule = grouped_buddy_schedule(processors, minima);
        ck_assert_text(jobs::fault(schedule, minima), "");
        ck_assert(std::all_of(schedule.jobs.begin(), schedule.jobs.end(), [](const auto &job) {
            return job.first_processor % job.processors == 0;
        }));
    }
}
END_TEST

START_TEST(groups_run_one_after_the_other) {
    // 1 + 2 + 4 jobs; the first group has the largest minimum.
    const Minima minima = {1, 1, 1, 1, 2, 4, 8};
    const auto schedule = grouped_buddy_schedule(8, minima);
    ck_assert_text(jobs::to_text(schedule),
                   "2x4@6,3 2x4@4,3 2x4@2,3 2x4@0,3 4x2@4,1 4x2@0,1 8x1@0,0");
    ck_assert_int_eq(reallocated_processors(schedule), 24);
}
END_TEST

// Theorem 6.4, on everything that is small: every mix of powers of two (other minima are as their
// next power).
START_TEST(no_schedule_of_powers_of_two_reallocates_fewer) {
    const int sizes[][2] = {{1, 1}, {1, 4}, {2, 2}, {2, 8}, {4, 2},  {4, 4},
                            {4, 8}, {8, 2}, {8, 4}, {8, 8}, {16, 4}, {16, 8}};
    for (const auto &[processors, count] : sizes) {
        const auto widths = jobs::powers_of_two(processors);
        const auto possible = possible_widths(processors, count, widths);
        for (const auto &minima : all_mixes(widths, count)) {
            const auto schedule = buddy_schedule(processors, minima);
            ck_assert_text(jobs::fault(schedule, minima), "");
            ck_assert_msg(reallocated_processors(schedule) ==
                              fewest_reallocated(processors, minima, possible),
                          "%s", jobs::to_text(schedule).c_str());
        }
    }
}
END_TEST

START_TEST(never_reallocates_more_than_epochs) {
    std::mt19937_64 random(603);
    for (int run = 0; run < 5000; run++) {
        const int processors = 1 << (random() % 8);
        const auto minima = jobs::random_mix(random, processors, 1 << (random() % 6));
        ck_assert(reallocated_processors(buddy_schedule(processors, minima)) <=
                  reallocated_processors(equi_epoch_schedule(processors, minima)));
    }
}
END_TEST

bool inside(const Submesh &part, const Submesh &whole) {
    return part.row >= whole.row && part.column >= whole.column &&
           part.row + part.rows <= whole.row + whole.rows &&
           part.column + part.columns <= whole.column + whole.columns;
}

bool apart(const Submesh &left, const Submesh &right) {
    return left.row + left.rows <= right.row || right.row + right.rows <= left.row ||
           left.column + left.columns <= right.column ||
           right.column + right.columns <= left.column;
}

// S. 6.7: an allocation rests on one before it, inside which it lies; nobody shares processors.
START_TEST(reallocations_on_a_mesh_are_local) {
    std::mt19937_64 random(604);
    for (int run = 0; run < 500; run++) {
        const int rows = 1 << (random() % 4);
        const int columns = rows << (random() % 2);
        const auto minima = jobs::random_mix(random, rows * columns, 1 << (random() % 5));
        const auto schedule = buddy_schedule(rows * columns, minima);
        for (const auto &job : schedule.jobs) {
            const auto part = submesh_of(job, rows, columns);
            ck_assert_int_eq(part.rows * part.columns, job.processors);
            ck_assert(part.columns == part.rows || part.columns == 2 * part.rows ||
                      2 * part.columns == part.rows);
            int below = 0;
            for (const auto &other : schedule.jobs) {
                const auto theirs = submesh_of(other, rows, columns);
                const bool same_time = other.first_slot < job.first_slot + job.slots &&
                                       job.first_slot < other.first_slot + other.slots;
                ck_assert(&other == &job || !same_time || apart(part, theirs));
                below += other.first_slot + other.slots == job.first_slot && inside(part, theirs);
            }
            ck_assert_int_eq(below, job.first_slot == 0 ? 0 : 1);
        }
    }
}
END_TEST

struct Refused {
    void (*call)();
    const char *text;
};

const Refused refused[] = {
    {[] {
         buddy_schedule(12, {1, 1});
     },
     "a power of two of processors, not 12"},
    {[] {
         buddy_schedule(8, {1, 1, 1});
     },
     "a power of two of jobs, not 3"},
    {[] { buddy_schedule(8, {}); }, "a power of two of jobs, not 0"},
    {[] { grouped_buddy_schedule(8, {}); }, "needs a job"},
    {[] { grouped_buddy_schedule(0, {1}); }, "needs a processor"},
    {[] {
         buddy_schedule(8, {1, 9});
     },
     "at least 9 processors, which is not from 1 to 8"},
    {[] {
         buddy_schedule(8, {0, 1});
     },
     "at least 0 processors, which is not from 1 to 8"},
    {[] {
         submesh_of({0, 2, 0, 1}, 3, 4);
     },
     "power of two of rows and columns"},
    {[] {
         submesh_of({2, 4, 0, 1}, 4, 4);
     },
     "does not give these processors"},
    {[] {
         submesh_of({0, 3, 0, 1}, 4, 4);
     },
     "does not give these processors"},
};

START_TEST(refuses) {
    const auto text = refusal<std::invalid_argument>(refused[_i].call);
    ck_assert_contains(text, refused[_i].text);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("buddy");
    tcase_add_loop_test(tests, worked_example, 0, std::size(examples));
    tcase_add_test(tests, figure_6_11_on_a_mesh_of_4_by_4);
    tcase_add_test(tests, height_forces_slots);
    tcase_add_test(tests, frontier_is_a_staircase_with_unique_denominators);
    tcase_add_test(tests, any_random_mix_is_scheduled);
    tcase_add_test(tests, groups_run_one_after_the_other);
    tcase_add_test(tests, no_schedule_of_powers_of_two_reallocates_fewer);
    tcase_add_test(tests, never_reallocates_more_than_epochs);
    tcase_add_test(tests, reallocations_on_a_mesh_are_local);
    tcase_add_loop_test(tests, refuses, 0, std::size(refused));
    return run("buddy", tests);
}
