// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding: McCann's figures 4.5 and 4.6, arrivals one after the other, and departures.
#include "experiments/mesh/policy/fold_walk.hpp"
#include "experiments/mesh/policy/partitioner.hpp"
#include "experiments/mesh/policy/rotation.hpp"
#include "suites.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace {

using namespace vmall::policy;
using namespace vmall::policy::mesh;

FoldWalk with_jobs(int jobs) {
    FoldWalk walk(Mesh(4, 4));
    for (int job = 1; job <= jobs; job++)
        walk.arrive({static_cast<std::uint32_t>(job)});
    return walk;
}

std::map<int, int> processors_by_job(const FoldWalk &walk) {
    std::map<int, int> result;
    for (const auto &holding : walk.holdings())
        result[static_cast<int>(holding.job.value)] = holding.rectangle.processors();
    return result;
}

// As jobs arrive; an even number is the string of half as many, twice.
const struct {
    int jobs;
    const char *string;
} arrivals[] = {
    {1, "s"},         {2, "ss"},          {3, "ssb"},           {4, "ssss"},
    {5, "ssbbb"},     {6, "ssbssb"},      {7, "ssssssb"},       {8, "ssssssss"},
    {9, "ssbbbbbbb"}, {10, "ssbbbssbbb"}, {12, "ssbssbssbssb"}, {14, "ssssssbssssssb"},
};

} // namespace

START_TEST(every_arrival_halves_one_large_partition) {
    ck_assert_text(with_jobs(arrivals[_i].jobs).rotation_string(), arrivals[_i].string);
}
END_TEST

START_TEST(the_first_job_gets_the_machine_and_the_second_half_of_it) {
    FoldWalk walk(Mesh(4, 4));
    const auto first = walk.arrive({7});
    ck_assert_uint_eq(first.size(), 1);
    ck_assert(first[0].from == Rectangle{});
    ck_assert(first[0].to == whole(Mesh(4, 4)));
    const auto second = walk.arrive({8});
    ck_assert_uint_eq(second.size(), 2);
    ck_assert_uint_eq(second[0].job.value, 7);
    ck_assert_int_eq(second[0].to.processors(), 128);
    ck_assert_uint_eq(second[1].job.value, 8);
    ck_assert_int_eq(second[1].to.processors(), 128);
}
END_TEST

// From figure 4.6a on: five jobs, of which each is folded or unfolded f(5) = 4 times in N(5) = 5
// rotations.
START_TEST(figure_4_6_rotates_the_partitions_of_five_jobs) {
    FoldWalk walk = with_jobs(5);
    std::map<int, int> reallocations;
    std::map<int, int> processors;
    walk.rotate();
    ck_assert_text(walk.rotation_string(), "sbsbb");
    for (int rotation = 0; rotation < 5; rotation++) {
        for (const auto &[job, count] : processors_by_job(walk))
            processors[job] += count;
        for (const auto &move : walk.rotate())
            reallocations[static_cast<int>(move.job.value)]++;
    }
    for (int job = 1; job <= 5; job++) {
        ck_assert_int_eq(reallocations[job], rotations_per_cycle(5));
        ck_assert_int_eq(processors[job], 256);
    }
    ck_assert_text(walk.rotation_string(), "sbsbb");
}
END_TEST

// As long as there were only arrivals, over N(J) rotations all have the same, J even as well.
START_TEST(a_cycle_of_rotations_is_fair) {
    for (int jobs = 1; jobs <= 128; jobs++) {
        FoldWalk walk = with_jobs(jobs);
        for (int rotation = 0; rotation < jobs; rotation++)
            walk.rotate();
        const int cycle = std::max(1, cycle_length(jobs));
        std::map<int, int> processors;
        for (int rotation = 0; rotation < cycle; rotation++) {
            for (const auto &[job, count] : processors_by_job(walk))
                processors[job] += count;
            walk.rotate();
        }
        for (int job = 1; job <= jobs; job++)
            ck_assert_int_eq(processors[job] * jobs, 256 * cycle);
    }
}
END_TEST

START_TEST(with_a_power_of_two_nothing_rotates) {
    for (const int jobs : {1, 2, 4, 8, 16, 256})
        ck_assert(with_jobs(jobs).rotate().empty());
}
END_TEST

// s. 4.4.3: with five jobs, the neighbours of a job that leaves cannot simply take its partition.
START_TEST(any_of_five_jobs_can_leave_after_any_rotation) {
    for (int rotations = 0; rotations <= 6; rotations++) {
        for (std::uint32_t leaving = 1; leaving <= 5; leaving++) {
            FoldWalk walk = with_jobs(5);
            for (int i = 0; i < rotations; i++)
                walk.rotate();
            walk.depart({leaving});
            const auto processors = processors_by_job(walk);
            ck_assert_uint_eq(processors.size(), 4);
            for (const auto &[job, count] : processors) {
                ck_assert_int_eq(count, 64);
                ck_assert_int_ne(job, static_cast<int>(leaving));
            }
        }
    }
}
END_TEST

START_TEST(a_small_partition_goes_to_the_small_one_before_it) {
    FoldWalk walk = with_jobs(7); // "ssssssb"
    const auto before = walk.holdings();
    const auto moves = walk.depart(before[1].job);
    ck_assert_uint_eq(moves.size(), 1);
    ck_assert_uint_eq(moves[0].job.value, before[0].job.value);
    ck_assert(moves[0].to == around(before[0].rectangle, before[1].rectangle));
    ck_assert_text(walk.rotation_string(), "bssssb");
}
END_TEST

// The job before it takes half; that job gives a half to the one before it, and takes the rest.
START_TEST(a_large_partition_is_taken_in_steps) {
    FoldWalk walk = with_jobs(7); // "ssssssb"
    const auto before = walk.holdings();
    const auto moves = walk.depart(before[6].job);
    const std::size_t movers[] = {5, 5, 4, 5};
    const int processors[] = {64, 32, 64, 64};
    ck_assert_uint_eq(moves.size(), 4);
    for (std::size_t i = 0; i < moves.size(); i++) {
        ck_assert(moves[i].job == before[movers[i]].job);
        ck_assert_int_eq(moves[i].to.processors(), processors[i]);
    }
    ck_assert_text(walk.rotation_string(), "ssssbb");
}
END_TEST

START_TEST(the_last_job_leaves_an_empty_machine) {
    FoldWalk walk = with_jobs(3);
    for (const std::uint32_t job : {2, 1, 3})
        walk.depart({job});
    ck_assert(walk.holdings().empty());
    ck_assert(walk.arrive({4}).front().to == whole(Mesh(4, 4)));
}
END_TEST

START_TEST(impossible_requests_are_refused) {
    for (const bool folding : {false, true}) {
        const Mesh mesh(1, 1);
        const auto policy =
            folding ? make_folding(mesh) : make_equipartition(mesh, Mapping::contraction);
        const auto arrive = [&](std::uint32_t job) {
            return refusal<std::invalid_argument>([&] { policy->arrive({job}); });
        };
        ck_assert_contains(refusal<std::invalid_argument>([&] { policy->depart({1}); }),
                           "not running");
        ck_assert_text(arrive(1), "(accepted)");
        ck_assert_contains(arrive(1), "running already");
        for (std::uint32_t job = 2; job <= 4; job++)
            ck_assert_text(arrive(job), "(accepted)");
        ck_assert_contains(arrive(5), "every processor");
    }
}
END_TEST

TCase *folding_tests() {
    TCase *tests = tcase_create("folding");
    tcase_add_loop_test(tests, every_arrival_halves_one_large_partition, 0,
                        sizeof arrivals / sizeof arrivals[0]);
    tcase_add_test(tests, the_first_job_gets_the_machine_and_the_second_half_of_it);
    tcase_add_test(tests, figure_4_6_rotates_the_partitions_of_five_jobs);
    tcase_add_test(tests, a_cycle_of_rotations_is_fair);
    tcase_add_test(tests, with_a_power_of_two_nothing_rotates);
    tcase_add_test(tests, any_of_five_jobs_can_leave_after_any_rotation);
    tcase_add_test(tests, a_small_partition_goes_to_the_small_one_before_it);
    tcase_add_test(tests, a_large_partition_is_taken_in_steps);
    tcase_add_test(tests, the_last_job_leaves_an_empty_machine);
    tcase_add_test(tests, impossible_requests_are_refused);
    return tests;
}
