// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads played on a mesh: timelines by hand, and what must hold in all of them.
#include "experiments/mesh/sim/mixed_workload.hpp"
#include "experiments/mesh/sim/simulate.hpp"
#include "experiments/mesh/sim/uniprogramming.hpp"
#include "near.hpp"
#include "suites.hpp"

#include <stdexcept>
#include <utility>

namespace {

using namespace vmall::policy::mesh;
using namespace vmall::sim;
using namespace vmall::sim::mesh;

const Mesh mesh_2x2(1, 1);

// Jobs as wide as the machine, with linear speed-up: (submit, runtime alone).
Workload wide(const std::vector<std::pair<Milliseconds, Milliseconds>> &jobs, const Mesh &mesh) {
    Workload workload;
    for (const auto &[submit, runtime] : jobs) {
        Job job;
        job.id = static_cast<std::uint32_t>(workload.jobs.size()) + 1;
        job.submit = submit;
        job.runtime = runtime;
        job.virtually_malleable = true;
        job.sizes = {mesh.processors()};
        job.runtime_processes = mesh.processors();
        workload.jobs.push_back(job);
    }
    return workload;
}

MeshOptions options(const char *policy) {
    MeshOptions result;
    result.policy = parse_choice(policy);
    result.record_allotments = true;
    return result;
}

Outcome play(const Workload &workload, const Mesh &mesh, const MeshOptions &options,
             double relocation = 0) {
    Progress progress;
    const auto model =
        make_workload_model(mesh, options.policy.mapping(), FoldingCost{}, relocation);
    return simulate(workload, mesh, options, *model, progress);
}

std::vector<Milliseconds> ends(const Outcome &outcome) {
    std::vector<Milliseconds> result;
    for (const auto &job : outcome.jobs) {
        ck_assert(job.end == End::completed);
        result.push_back(job.ended);
    }
    return result;
}

std::vector<int> cores(const JobOutcome &job) {
    std::vector<int> result;
    for (const auto &change : job.allotments)
        result.push_back(change.cores);
    return result;
}

} // namespace

// Alone until 100, at half speed until the other one has ended at 300, alone again.
START_TEST(a_job_folds_for_another_one_and_unfolds) {
    const auto workload = wide({{0, 300}, {100, 100}}, mesh_2x2);
    const auto outcome = play(workload, mesh_2x2, options("fold-inf"));
    ck_assert((ends(outcome) == std::vector<Milliseconds>{400, 300}));
    ck_assert((cores(outcome.jobs[0]) == std::vector<int>{4, 2, 4}));
    ck_assert_int_eq(outcome.jobs[0].folds, 1);
    ck_assert_int_eq(outcome.jobs[0].unfolds, 1);
    ck_assert_int_eq(outcome.jobs[0].allotments[1].mpl, 2);
    ck_assert_int_eq(outcome.jobs[0].core_milliseconds, 100 * 4 + 200 * 2 + 100 * 4);
    ck_assert_int_eq(outcome.jobs[1].started, 100);
    ck_assert_int_eq(outcome.cores, 4);
}
END_TEST

// The first job stands still for 10 when it folds and for 10 when it unfolds.
START_TEST(relocation_stops_a_job) {
    const auto workload = wide({{0, 300}, {100, 100}}, mesh_2x2);
    ck_assert((ends(play(workload, mesh_2x2, options("fold-inf"), 10)) ==
               std::vector<Milliseconds>{415, 300}));
}
END_TEST

// Three jobs on a half and two quarters. Without rotations the one on the half ends first; with one
// each second, all do at once. The first job folds for both others, and after 3 and 6 seconds.
START_TEST(rotations_share_the_large_partition) {
    const auto workload = wide({{0, 3000}, {0, 3000}, {0, 3000}}, mesh_2x2);
    const auto never = play(workload, mesh_2x2, options("fold-inf"));
    ck_assert_int_eq(never.jobs[1].ended, 6000);
    const auto often = play(workload, mesh_2x2, options("fold-1"));
    ck_assert((ends(often) == std::vector<Milliseconds>{9000, 9000, 9000}));
    ck_assert_int_eq(often.jobs[0].folds, 2 + 2);
}
END_TEST

// 16 threads on 2 x 4 of 4 x 4 processors, then on 3 x 4 or so: EQUI loads by rows and columns.
START_TEST(equi_wastes_what_equi_plus_does_not) {
    const Mesh mesh(2, 2);
    const auto workload = wide({{0, 1200}, {0, 1200}, {0, 1200}}, mesh);
    const auto equi = play(workload, mesh, options("equi"));
    const auto equi_plus = play(workload, mesh, options("equi+"));
    for (int job = 0; job < 3; job++)
        ck_assert_int_le(equi_plus.jobs[job].ended, equi.jobs[job].ended);
    // 2 x 3, 2 x 3 and 4 x 1 processors: 4 threads on one of them, or 3.
    ck_assert_int_eq(equi.jobs[0].ended, 4800);
    ck_assert_int_eq(equi_plus.jobs[0].ended, 3600);
}
END_TEST

// Of two jobs at a time, the one that was started first makes room for the third at 100, and is
// back when that has ended at 200.
START_TEST(preemption_lets_waiting_jobs_in) {
    auto with_limit = options("fold-inf");
    with_limit.limit = 2;
    const auto workload = wide({{0, 200}, {0, 200}, {0, 50}}, mesh_2x2);
    ck_assert_int_eq(play(workload, mesh_2x2, with_limit).jobs[2].started, 400);
    with_limit.quantum = 100;
    const auto outcome = play(workload, mesh_2x2, with_limit);
    ck_assert_int_eq(outcome.jobs[2].started, 100);
    ck_assert_int_eq(outcome.jobs[2].ended, 200);
    ck_assert((cores(outcome.jobs[0]) == std::vector<int>{2, 0, 2, 4}));
    ck_assert_int_eq(outcome.jobs[0].starts, 2);
    ck_assert_int_eq(outcome.jobs[0].started, 0);
    with_limit.preemption_overhead = 0.1;
    ck_assert_int_eq(play(workload, mesh_2x2, with_limit).jobs[2].started, 100);
    ck_assert_int_gt(play(workload, mesh_2x2, with_limit).jobs[2].ended, 200);
}
END_TEST

START_TEST(a_limit_of_one_is_first_come_first_served) {
    Mix mix;
    mix.jobs = 300;
    const auto workload = mixed_workload(mix, 256, 9);
    auto one = options("fold-inf");
    one.limit = 1;
    const auto outcome = play(workload, Mesh(4, 4), one, 1000);
    const auto responses = fcfs_responses(workload);
    for (std::size_t i = 0; i < responses.size(); i++) {
        ck_assert_int_eq(outcome.jobs[i].ended - workload.jobs[i].submit,
                         static_cast<Milliseconds>(responses[i]));
    }
}
END_TEST

// With linear speed-up and nothing lost, the machine is as busy as under processor sharing: the
// last job of each busy period ends at the same time.
START_TEST(folding_loses_no_work) {
    Mix mix;
    mix.jobs = 300;
    for (std::uint64_t seed = 1; seed <= 5; seed++) {
        const auto workload = mixed_workload(mix, 256, seed);
        const auto outcome = play(workload, Mesh(4, 4), options("fold-5j"));
        const auto shared = processor_sharing_responses(workload);
        Milliseconds last = 0;
        double last_shared = 0;
        for (std::size_t i = 0; i < shared.size(); i++) {
            last = std::max(last, outcome.jobs[i].ended);
            last_shared =
                std::max(last_shared, shared[i] + static_cast<double>(workload.jobs[i].submit));
            const auto given = static_cast<double>(outcome.jobs[i].core_milliseconds);
            const double needed = 256.0 * static_cast<double>(workload.jobs[i].runtime);
            ck_assert_near(given, needed, 256 * 2);
        }
        ck_assert_near(static_cast<double>(last), last_shared, 300);
    }
}
END_TEST

START_TEST(the_thesis_application_runs_as_eq_5_2_says) {
    StepTimes step_times(Mesh(4, 4), Environment{});
    const auto workload = wide({{0, 102000}, {0, 102000}}, Mesh(4, 4));
    for (const bool relocation_is_free : {true, false}) {
        Progress progress;
        const auto model = make_spmd_model(step_times, Mapping::contraction, relocation_is_free);
        const auto outcome = simulate(workload, Mesh(4, 4), options("fold-inf"), *model, progress);
        // Folding the first takes 128 threads x 4096 KB / (200 MB/s) / 8 lanes.
        ck_assert_int_eq(outcome.jobs[1].ended, 203500);
        ck_assert(relocation_is_free ? outcome.jobs[0].ended == 203500
                                     : outcome.jobs[0].ended > 203500 + 160);
        ck_assert_uint_eq(progress.jobs_ended, 2);
    }
}
END_TEST

// Folded to MPL 2 at 1.25 times the cost, both run at 1 / 2.5; each relocation takes 10.
START_TEST(what_vmsim_is_told_counts) {
    const auto workload = wide({{0, 300}, {100, 100}}, mesh_2x2);
    Options told;
    told.folding_cost.by_mpl = {1, 1.25, 1.25, 1.25};
    told.resize_latency = 10;
    Progress progress;
    const auto outcome = simulate(workload, mesh_2x2, parse_choice("fold-inf"), told, progress);
    ck_assert_int_eq(outcome.jobs[1].ended, 350);
    // 240 of 250 at 1 / 2.5: 96 of 200 are done; the rest takes 10 + 104.
    ck_assert_int_eq(outcome.jobs[0].ended, 350 + 10 + 104);
    ck_assert(outcome.jobs[0].allotments.empty());
    told.record_allotments = true;
    ck_assert(!simulate(workload, mesh_2x2, parse_choice("equi"), told, progress)
                   .jobs[0]
                   .allotments.empty());
}
END_TEST

START_TEST(smaller_jobs_take_their_largest_size_that_fits) {
    Workload workload = wide({{0, 1000}, {0, 1000}}, mesh_2x2);
    workload.jobs[0].sizes = {1, 2, 8};
    workload.jobs[0].runtime_processes = 8;
    const auto outcome = play(workload, mesh_2x2, options("fold-inf"));
    ck_assert_int_eq(outcome.jobs[0].processes, 2);
    ck_assert_int_eq(outcome.jobs[0].allotments.front().mpl, 1);
    ck_assert_int_eq(outcome.jobs[0].ended, 4000);
}
END_TEST

START_TEST(what_cannot_be_played_is_refused) {
    const auto refused = [](const Workload &workload) {
        return refusal<std::invalid_argument>([&] { play(workload, mesh_2x2, options("equi")); });
    };
    Workload workload = wide({{0, 10}, {5, 10}}, mesh_2x2);
    workload.jobs[1].virtually_malleable = false;
    ck_assert_contains(refused(workload), "job 2 cannot run on a mesh");
    workload.jobs[1].virtually_malleable = true;
    workload.jobs[1].sizes = {5};
    ck_assert_contains(refused(workload), "job 2 cannot run on a mesh");
    ck_assert_contains(refused(wide({{5, 10}, {0, 10}}, mesh_2x2)), "job 2 comes before");
}
END_TEST

START_TEST(it_can_be_stopped) {
    const auto workload = wide({{0, 10}}, mesh_2x2);
    Progress progress;
    progress.stop = true;
    const auto model = make_workload_model(mesh_2x2, Mapping::contraction, FoldingCost{}, 0);
    bool stopped = false;
    try {
        simulate(workload, mesh_2x2, options("equi"), *model, progress);
    } catch (const Stopped &) {
        stopped = true;
    }
    ck_assert(stopped);
}
END_TEST

TCase *simulate_tests() {
    TCase *tests = tcase_create("simulate");
    tcase_add_test(tests, a_job_folds_for_another_one_and_unfolds);
    tcase_add_test(tests, relocation_stops_a_job);
    tcase_add_test(tests, rotations_share_the_large_partition);
    tcase_add_test(tests, equi_wastes_what_equi_plus_does_not);
    tcase_add_test(tests, preemption_lets_waiting_jobs_in);
    tcase_add_test(tests, a_limit_of_one_is_first_come_first_served);
    tcase_add_test(tests, folding_loses_no_work);
    tcase_add_test(tests, the_thesis_application_runs_as_eq_5_2_says);
    tcase_add_test(tests, what_vmsim_is_told_counts);
    tcase_add_test(tests, smaller_jobs_take_their_largest_size_that_fits);
    tcase_add_test(tests, what_cannot_be_played_is_refused);
    tcase_add_test(tests, it_can_be_stopped);
    return tests;
}
