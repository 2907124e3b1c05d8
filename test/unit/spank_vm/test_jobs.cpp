// SPDX-License-Identifier: GPL-2.0-or-later
//
// What becomes of targets and steps of jobs.
#include "agent_node.hpp"

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>

using namespace std::chrono_literals;
using namespace vmall;
using namespace vmall::agent;

namespace {

constexpr std::uint32_t extern_step_id = 0xfffffffc, script_step_id = 0xfffffffb;

pid_t task_of(const ProcessTree &tree) {
    return ProcessTable::look().descendants({find_process(tree.stepd()).value()})[0].pid;
}

// As its only task might do itself.
void bind_task(const ProcessTree &tree, std::uint32_t core) {
    spank_vm::set_affinity(task_of(tree), spank_vm::mask_of(core_map().cpus({core})));
}

void expect_threads_on_both(const ProcessTree &tree) {
    const cpu_set_t both = spank_vm::mask_of(core_map().cpus({0, 1}));
    for (const Process &task :
         ProcessTable::look().descendants({find_process(tree.stepd()).value()}))
        for (const pid_t thread : threads(task.pid)) {
            const auto mask = spank_vm::affinity(thread);
            ck_assert(mask && CPU_EQUAL(&*mask, &both));
        }
}

START_TEST(a_target_moves_the_job_and_is_told_to_it) {
    TestNode node;
    const ProcessTree tree(2, 3);
    node.add_step(tree);
    ck_assert_uint_eq(node.block().generation, 0);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 5);
    ck_assert_uint_eq(node.block().mpl, 2);
    ck_assert_uint_eq(node.block().core_count, 1);
    ck_assert(!node.block().overclaimed);
    ck_assert(node.block().cpus == core_map().cpus({1}));
}
END_TEST

START_TEST(a_lower_generation_is_ignored) {
    TestNode node;
    const ProcessTree tree(1, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    expect(node.jobs().handle(target(4, {0})), Outcome::superseded, 5);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 5);
}
END_TEST

ino_t number_of(const std::string &file) {
    struct stat status;
    ck_assert_int_eq(stat(file.c_str(), &status), 0);
    return status.st_ino;
}

START_TEST(the_same_target_again_is_harmless_and_repairs) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    const ino_t state = number_of(node.file("state"));
    bind_task(tree, 0);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(number_of(node.file("state")), state); // not written anew
}
END_TEST

// As when slurmctld announces a job whose first step has been faster.
START_TEST(a_higher_generation_of_the_same_cores_leaves_who_bound_itself) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {0, 1}));
    bind_task(tree, 1);
    expect(node.jobs().handle(target(6, {0, 1})), Outcome::applied, 6);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 6);
    node.start_agent();
    expect(node.jobs().handle(target(5, {0, 1})), Outcome::superseded, 6);
}
END_TEST

// A fold may have been under way, with some threads on fewer cores than the state says.
START_TEST(what_an_earlier_agent_left_is_moved_by_the_next_target) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {0, 1}));
    bind_task(tree, 1);
    node.start_agent();
    expect(node.jobs().handle(target(6, {0, 1})), Outcome::applied, 6);
    expect_threads_on_both(tree);
}
END_TEST

START_TEST(a_job_that_could_not_be_put_back_is_moved_by_the_next_target) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {0, 1}));
    std::filesystem::create_directory(node.file("state.new"));
    expect_refused(node.jobs().handle(target(6, {0})), "state.new");
    std::filesystem::remove(node.file("state.new"));
    bind_task(tree, 1);
    expect(node.jobs().handle(target(7, {0, 1})), Outcome::applied, 7);
    expect_threads_on_both(tree);
}
END_TEST

START_TEST(a_higher_generation_is_applied) {
    TestNode node;
    const ProcessTree tree(1, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_threads_on(tree, 0);
}
END_TEST

struct Refusal {
    const char *name;
    Target target;
    const char *reason;
};

const std::vector<Refusal> refusals = {
    {"another node", {"n2", job_id, user, {0}, 1, 9}, "for node n2"},
    {"another user", {"n1", job_id, user + 1, {0}, 1, 9}, "belongs to user 1234"},
    {"a core the node does not have", {"n1", job_id, user, {0, 60000}, 1, 9}, "core 60000"},
    {"other cores, same generation", {"n1", job_id, user, {0}, 2, 5}, "another allotment"},
};

START_TEST(a_wrong_target_changes_nothing) {
    const Refusal &row = refusals[static_cast<std::size_t>(_i)];
    TestNode node;
    const ProcessTree tree(1, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    expect_refused(node.jobs().handle(row.target), row.reason);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 5);
}
END_TEST

START_TEST(a_target_before_the_first_step_is_remembered) {
    TestNode node;
    expect(node.jobs().handle(target(5, {1})), Outcome::unknown_job, 0);
    expect(node.jobs().handle(target(4, {0})), Outcome::superseded, 5);
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    ck_assert_uint_eq(node.block().generation, 5);
    ck_assert(node.block().cpus == core_map().cpus({1}));
}
END_TEST

Target target_of_run(std::uint32_t run, wire::Generation generation,
                     std::vector<std::uint32_t> cores) {
    Target target = agent::target(generation, std::move(cores));
    target.run = run;
    return target;
}

void add_step_that_says(TestNode &node, const ProcessTree &tree, std::optional<std::uint32_t> run) {
    node.jobs().add_step({job_id, step_id, user, {0, 1}, spank_vm::Ranks{}, run},
                         find_process(tree.stepd()).value());
    node.jobs().launched({job_id, step_id});
}

struct SaidRun {
    const char *name;
    std::optional<std::uint32_t> target, step;
    bool begins_with_target;
};

const std::vector<SaidRun> said_runs = {
    {"the same", 1, 1, true},
    {"the next", 1, 2, false},
    {"an earlier one", 1, 0, false},
    {"nothing", 1, std::nullopt, true},
    {"to an older controller", std::nullopt, 1, true},
};

START_TEST(a_remembered_target_is_for_its_run_only) {
    const SaidRun &row = said_runs[static_cast<std::size_t>(_i)];
    TestNode node;
    Target target = agent::target(5, {1});
    target.run = row.target;
    node.jobs().handle(target);
    const ProcessTree tree(1, 0);
    add_step_that_says(node, tree, row.step);
    const auto cpus = core_map().cpus({1});
    ck_assert_msg((node.block().cpus == cpus) == row.begins_with_target, "%s", row.name);
}
END_TEST

// It may have been sent before a fold that has been confirmed.
START_TEST(a_step_that_lies_about_its_run_does_not_get_an_older_target) {
    TestNode node;
    node.jobs().handle(target_of_run(1, 5, {1}));
    const ProcessTree tree(1, 0);
    add_step_that_says(node, tree, 2);
    expect(node.jobs().handle(target_of_run(1, 4, {0})), Outcome::superseded, 5);
    expect(node.jobs().handle(target_of_run(1, 6, {0})), Outcome::applied, 6);
}
END_TEST

START_TEST(a_target_that_comes_after_the_end_is_not_for_the_next_run) {
    TestNode node;
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        node.jobs().handle(target_of_run(1, 5, {0, 1}));
    }
    node.jobs().forget(job_id);
    expect(node.jobs().handle(target_of_run(1, 6, {1})), Outcome::unknown_job, 0);
    const ProcessTree tree(1, 0);
    add_step_that_says(node, tree, std::nullopt); // as a script does
    ck_assert(node.block().cpus == core_map().cpus({0, 1}));
    ck_assert_uint_eq(node.block().generation, 0);
}
END_TEST

// The script of the next run does not say which it is.
START_TEST(a_target_that_comes_after_the_end_does_not_move_the_next_run) {
    TestNode node;
    node.jobs().handle(target_of_run(1, 5, {0, 1}));
    node.jobs().forget(job_id);
    const ProcessTree tree(1, 0);
    add_step_that_says(node, tree, std::nullopt);
    expect(node.jobs().handle(target_of_run(1, 6, {1})), Outcome::superseded, 0);
    ck_assert(node.block().cpus == core_map().cpus({0, 1}));
    expect(node.jobs().handle(target_of_run(2, 7, {1})), Outcome::applied, 7);
}
END_TEST

// slurmctld was killed before it saved, and gave the number of a step again.
START_TEST(a_step_with_the_number_of_one_that_runs_is_beside_it) {
    TestNode node;
    const ProcessTree first(1, 0), second(1, 0);
    node.add_step(first);
    node.add_step(second);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_threads_on(first, 1);
    expect_threads_on(second, 1);
}
END_TEST

// slurmctld was killed before it saved, and started the job elsewhere then.
START_TEST(a_remembered_target_with_cores_that_slurm_did_not_give_is_not_for_the_step) {
    TestNode node;
    node.jobs().handle(target(5, {1}));
    const ProcessTree tree(1, 0);
    node.jobs().add_step({job_id, step_id, user, {0}, spank_vm::Ranks{}},
                         find_process(tree.stepd()).value());
    node.jobs().launched({job_id, step_id});
    ck_assert(node.block().cpus == core_map().cpus({0}));
    expect(node.jobs().handle(target(4, {1})), Outcome::superseded, 5);
}
END_TEST

// It was started folded and unfolded before its first step began, so its first cores are fewer.
START_TEST(a_target_of_more_cores_than_the_step_began_with_is_applied_when_it_is_told_again) {
    TestNode node;
    node.jobs().handle(target(5, {0, 1}));
    const ProcessTree tree(1, 0);
    node.jobs().add_step({job_id, step_id, user, {0}, spank_vm::Ranks{}},
                         find_process(tree.stepd()).value());
    node.jobs().launched({job_id, step_id});
    ck_assert(node.block().cpus == core_map().cpus({0}));
    expect(node.jobs().handle(target(5, {0, 1})), Outcome::applied, 5);
    ck_assert(node.block().cpus == core_map().cpus({0, 1}));
    expect_refused(node.jobs().handle(target(5, {1})), "another allotment");
}
END_TEST

// Of whatever start of its run it was, it has ended with the job.
START_TEST(a_target_of_a_forgotten_start_does_not_move_the_next_run) {
    TestNode node;
    node.jobs().handle(target_of_run(1, 5, {1}));
    {
        const ProcessTree tree(1, 0);
        node.jobs().add_step({job_id, step_id, user, {0}, spank_vm::Ranks{}},
                             find_process(tree.stepd()).value());
        node.jobs().launched({job_id, step_id});
    }
    node.jobs().forget(job_id);
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    expect(node.jobs().handle(target_of_run(1, 6, {1})), Outcome::superseded, 0);
}
END_TEST

void add_step_on(TestNode &node, const ProcessTree &tree, const std::vector<std::uint32_t> &cores) {
    node.jobs().add_step({job_id, step_id, user, cores, spank_vm::Ranks{}},
                         find_process(tree.stepd()).value());
}

// Its node was down when the run before ended.
START_TEST(where_no_controller_says_so_other_cores_begin_the_next_run) {
    TestNode node;
    node.let_agent_deal();
    {
        const ProcessTree tree(1, 0);
        add_step_on(node, tree, {0});
        node.jobs().handle(target(5, {0}));
    }
    while (node.jobs().call_roll().jobs.at(0).lives) // its task may still be ending
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const ProcessTree tree(1, 0);
    add_step_on(node, tree, {1});
    ck_assert(node.block().cpus == core_map().cpus({1}));
    ck_assert_uint_eq(node.block().generation, 0);
    ck_assert(node.jobs().residents().at(0).state.given == std::vector<std::uint32_t>{1});
    const ProcessTree second(1, 0);
    add_step_on(node, second, {0, 1}); // something of it lives
    ck_assert(node.block().cpus == core_map().cpus({1}));
    ck_assert(node.jobs().residents().at(0).state.given == std::vector<std::uint32_t>({0, 1}));
}
END_TEST

START_TEST(where_a_controller_does_a_step_on_other_cores_begins_nothing) {
    TestNode node;
    {
        const ProcessTree tree(1, 0);
        add_step_on(node, tree, {0});
    }
    const ProcessTree tree(1, 0);
    add_step_on(node, tree, {1});
    ck_assert(node.block().cpus == core_map().cpus({0}));
}
END_TEST

START_TEST(a_number_that_is_another_users_now_is_not_the_ended_jobs) {
    TestNode node;
    Target anothers = target(6, {1});
    anothers.user_id = user + 1;
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        node.jobs().handle(target(5, {0}));
        expect_refused(node.jobs().handle(anothers), "belongs to user");
    }
    while (node.jobs().call_roll().jobs.at(0).lives) // its task may still be ending
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    anothers.generation = 4;
    expect(node.jobs().handle(anothers), Outcome::superseded, 5);
    anothers.generation = 6;
    expect(node.jobs().handle(anothers), Outcome::unknown_job, 0);
    ck_assert(!std::filesystem::exists(node.file("")));
}
END_TEST

// It counts its runs from the first, too.
START_TEST(the_ended_runs_of_a_number_do_not_hold_up_another_users_job) {
    TestNode node;
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        node.jobs().handle(target_of_run(2, 5, {0}));
    }
    while (node.jobs().call_roll().jobs.at(0).lives) // its task may still be ending
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Target anothers = target_of_run(1, 7, {1});
    anothers.user_id = user + 1;
    expect(node.jobs().handle(anothers), Outcome::unknown_job, 0);
    anothers.generation = 6;
    expect(node.jobs().handle(anothers), Outcome::superseded, 7); // the first is remembered
}
END_TEST

START_TEST(a_job_is_known_however_many_others_are_named) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    for (std::uint32_t other = job_id + 1; other < job_id + 5000; ++other)
        node.jobs().recheck(other);
    ck_assert_uint_eq(node.jobs().residents().size(), 1);
}
END_TEST

START_TEST(a_target_of_the_next_run_is_remembered_after_the_end) {
    TestNode node;
    node.jobs().handle(target_of_run(1, 5, {0}));
    node.jobs().forget(job_id);
    node.jobs().handle(target_of_run(2, 6, {1}));
    const ProcessTree tree(1, 0);
    add_step_that_says(node, tree, std::nullopt);
    ck_assert(node.block().cpus == core_map().cpus({1}));
}
END_TEST

// As when the epilog could not tell it.
START_TEST(the_next_run_ends_the_one_before) {
    TestNode node;
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        node.jobs().handle(target_of_run(1, 5, {1}));
    }
    node.start_agent();
    expect(node.jobs().handle(target_of_run(2, 6, {0})), Outcome::unknown_job, 0);
    ck_assert(!std::filesystem::exists(node.file("state")));
}
END_TEST

START_TEST(who_is_left_of_the_run_before_stays_with_the_job) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target_of_run(1, 5, {1}));
    expect(node.jobs().handle(target_of_run(2, 6, {0})), Outcome::applied, 6);
    expect_threads_on(tree, 0);
}
END_TEST

START_TEST(an_unattached_step_keeps_its_cores) {
    TestNode node;
    node.make_step_socket(step_id);
    expect_refused(node.jobs().handle(target(5, {1})), "unattached");
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    expect(node.jobs().handle(target(6, {1})), Outcome::applied, 6);
    node.make_step_socket(step_id + 1);
    const Answer answer = node.jobs().handle(target(7, {0}));
    expect_refused(answer, "unattached");
    ck_assert(answer.unattached);
    expect_threads_on(tree, 1);
}
END_TEST

// Also to an agent that has just been started.
START_TEST(who_got_the_number_of_a_lost_job_keeps_its_cores) {
    TestNode node;
    {
        const ProcessTree lost(1, 0);
        node.add_step(lost);
    }
    const std::filesystem::path cpuset = node.cpuset("");
    std::filesystem::create_directories(cpuset.parent_path());
    write_content(cpuset, cpus_of_core(1));
    node.make_step_socket(step_id);
    expect_refused(node.jobs().handle(target(5, {0})), "unattached");
    node.start_agent();
    expect_refused(node.jobs().handle(target(6, {0})), "unattached");
    ck_assert_text(content_of(cpuset), cpus_of_core(1));
}
END_TEST

// Each of its tasks is a program that no library can be loaded into.
void wait_until_static(const ProcessTree &tree) {
    const auto end = std::chrono::steady_clock::now() + vmall::test::limit;
    for (const Process &task :
         ProcessTable::look().descendants({find_process(tree.stepd()).value()}))
        while (!is_static(task.pid)) {
            ck_assert(std::chrono::steady_clock::now() < end);
            usleep(1000);
        }
}

void be_static() {
    execl(STATIC_TASK, STATIC_TASK, nullptr);
}

START_TEST(static_tasks_none_of_which_is_attached_are_not_folded_but_may_grow) {
    TestNode node;
    const ProcessTree tree(2, 0, be_static);
    wait_until_static(tree);
    node.add_step(tree);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    node.start_agent(false);
    expect(node.jobs().handle(target(6, {0, 1})), Outcome::applied, 6);
    const Answer answer = node.jobs().handle(target(7, {0}));
    expect_refused(answer, "its tasks are linked statically");
    ck_assert(answer.unattached);
    expect_threads_on_both(tree);
    write_slots(node, {task_of(tree)});
    expect(node.jobs().handle(target(8, {0})), Outcome::applied, 8);
    expect_threads_on(tree, 0);
}
END_TEST

Target for_served_only(wire::Generation generation, std::vector<std::uint32_t> cores) {
    Target target = agent::target(generation, std::move(cores));
    target.only_served = true;
    return target;
}

// Whatever FoldUnserved says.
START_TEST(a_job_whose_user_has_not_asked_is_folded_once_all_its_tasks_are_attached) {
    TestNode node;
    const ProcessTree first(1, 0), second(1, 0);
    node.add_step(first);
    node.add_step(second, step_id + 1);
    expect(node.jobs().handle(for_served_only(5, {0, 1})), Outcome::applied, 5);
    expect_refused(node.jobs().handle(for_served_only(6, {0})), "libvmrt serves 0 of 2 ranks here");
    write_slots(node, {task_of(first)});
    expect_refused(node.jobs().handle(for_served_only(7, {0})), "libvmrt serves 1 of 2 ranks here");
    expect_threads_on_both(second);
    write_slots(node, {task_of(first), task_of(second)});
    expect(node.jobs().handle(for_served_only(8, {0})), Outcome::applied, 8);
    expect_threads_on(second, 0);
}
END_TEST

START_TEST(a_job_whose_user_has_not_asked_is_not_folded_without_ranks) {
    TestNode node;
    expect_refused(node.jobs().handle(for_served_only(5, {1})), "no step of the job has begun");
    const ProcessTree script(1, 0);
    node.add_step(script, script_step_id);
    ck_assert_uint_eq(node.block().generation, 0);
    expect_refused(node.jobs().handle(for_served_only(6, {0})), "libvmrt serves 0 of 0 ranks here");
}
END_TEST

START_TEST(tasks_of_an_unknown_mpi_library_are_not_folded) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.start_agent(false);
    write_slots(node, {}, VMALL_ENGINE_NONE);
    expect_refused(node.jobs().handle(target(5, {1})), "libvmrt does not know the MPI library");
    write_slots(node, {task_of(tree)}, VMALL_ENGINE_NONE | VMALL_ENGINE_UCX);
    expect(node.jobs().handle(target(6, {1})), Outcome::applied, 6);
}
END_TEST

// A shell, or a rank that has not called MPI yet.
START_TEST(tasks_that_do_not_call_mpi_are_folded) {
    TestNode node;
    const ProcessTree tree(2, 0);
    node.add_step(tree);
    node.start_agent(false);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
}
END_TEST

START_TEST(who_has_no_tasks_may_be_folded) {
    TestNode node;
    node.start_agent(false);
    const ProcessTree tree(0, 0);
    node.add_step(tree);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
}
END_TEST

START_TEST(a_target_waits_for_a_step_that_is_just_starting) {
    TestNode node(vmall::test::limit);
    const ProcessTree tree(1, 0);
    node.make_step_socket(step_id);
    Answer answer;
    std::thread controller([&] { answer = node.jobs().handle(target(5, {1})); });
    usleep(50000);
    node.add_step(tree);
    controller.join();
    expect(answer, Outcome::applied, 5);
    expect_threads_on(tree, 1);
}
END_TEST

START_TEST(a_target_waits_for_a_step_that_is_being_launched_but_not_for_ever) {
    TestNode node;
    const ProcessTree tree(1, 0);
    const auto begin = std::chrono::steady_clock::now();
    node.begin_step(tree);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    ck_assert(std::chrono::steady_clock::now() - begin >= 500ms);
}
END_TEST

// Slurm makes them of what the job had when the step was asked for.
START_TEST(cpusets_of_a_step_that_has_been_launched_become_those_of_the_job) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    node.begin_step(tree, step_id + 1);
    for (const char *made : {"", "/step_4"}) {
        const std::filesystem::path file = node.cpuset(made);
        std::filesystem::create_directories(file.parent_path());
        write_content(file, cpus_of_core(0) + "," + cpus_of_core(1) + "\n");
    }
    node.jobs().launched({job_id, step_id + 1});
    for (const char *made : {"", "/step_4"})
        ck_assert_text(content_of(node.cpuset(made)), cpus_of_core(1));
}
END_TEST

START_TEST(the_launch_of_a_step_of_an_unknown_job_is_refused) {
    TestNode node;
    ck_assert_contains(refusal<std::exception>([&] {
                           node.jobs().launched({job_id, step_id});
                       }),
                       "not known here");
}
END_TEST

START_TEST(the_extern_step_is_no_obstacle) {
    TestNode node;
    node.make_step_socket(extern_step_id);
    expect(node.jobs().handle(target(5, {1})), Outcome::unknown_job, 0);
}
END_TEST

START_TEST(the_roll_has_who_lives_here_and_where) {
    TestNode node;
    ck_assert(node.jobs().call_roll().jobs.empty());
    node.make_step_socket(step_id);
    ck_assert(node.jobs().call_roll().jobs == std::vector<wire::Present>{{job_id}});
    std::filesystem::remove(node.step_socket(step_id));
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        wire::Target of_second_run = target(5, {1});
        of_second_run.run = 1;
        node.jobs().handle(of_second_run);
        const wire::Roll roll = node.jobs().call_roll();
        ck_assert_text(roll.node, "n1");
        ck_assert((roll.jobs == std::vector<wire::Present>{{job_id, {1}, 5, true, 1}}));
    }
    const std::vector<wire::Present> only_epilog_to_come = {{job_id, {1}, 5, false, 1}};
    while (!(node.jobs().call_roll().jobs == only_epilog_to_come)) // its tasks may still be ending
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    node.jobs().forget(job_id);
    ck_assert(node.jobs().call_roll().jobs.empty());
}
END_TEST

// Two cores of two CPUs each, whatever this machine has.
CoreMap cores_with_two_cpus() {
    hwloc_topology_t topology;
    hwloc_topology_init(&topology);
    hwloc_topology_set_synthetic(topology, "core:2 pu:2");
    hwloc_topology_load(topology);
    const CoreMap map(topology, 2);
    hwloc_topology_destroy(topology);
    return map;
}

struct Wish {
    std::uint32_t cpus_per_rank;
    int cores_per_rank;
};

const std::vector<Wish> wishes = {{1, 1}, {2, 1}, {3, 2}, {4, 2}};

START_TEST(residents_are_the_known_jobs_and_want_whole_cores) {
    const Wish &row = wishes[static_cast<std::size_t>(_i)];
    TestNode node;
    node.start_agent(true, cores_with_two_cpus());
    node.jobs().handle(target(5, {1})); // is remembered
    ck_assert(node.jobs().residents().empty());
    const ProcessTree tree(1, 0);
    node.add_step(tree, step_id, spank_vm::Ranks{{}, row.cpus_per_rank, 1});
    const std::vector<Resident> residents = node.jobs().residents();
    ck_assert_uint_eq(residents.size(), 1);
    ck_assert_uint_eq(residents[0].job_id, job_id);
    ck_assert_int_eq(residents[0].cores_per_rank, row.cores_per_rank);
    ck_assert(residents[0].state.allotment.cores == std::vector<std::uint32_t>{1});
}
END_TEST

[[noreturn]] void leave_the_allotment_for_ever() {
    const auto everywhere = spank_vm::mask_of(usable_cpus());
    for (;;)
        sched_setaffinity(0, sizeof everywhere, &everywhere);
}

// Only the first look is at all of /proc: it moves who leaves for ever, and the next one, at the
// cgroup, does not see him. No real member of a job is in none.
START_TEST(where_a_job_has_a_cgroup_its_members_are_asked_for_there) {
    TestNode node;
    const ProcessTree grouped(1, 0);
    const ProcessTree escaping(8, 0, leave_the_allotment_for_ever);
    node.add_step(grouped, 3);
    node.add_step(escaping, 4);
    const pid_t member =
        ProcessTable::look().descendants({find_process(grouped.stepd()).value()}).at(0).pid;
    node.write_members({member});
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    ck_assert_text(cpus_of(member), cpus_of_core(1));
}
END_TEST

// If all of them rest while they are looked at they are inside.
START_TEST(a_job_that_leaves_its_allotment_for_ever_does_not_hold_the_agent) {
    TestNode node;
    const ProcessTree escaping(8, 0, leave_the_allotment_for_ever);
    node.add_step(escaping);
    const Answer answer = node.jobs().handle(target(5, {1}));
    if (answer.outcome != Outcome::applied)
        expect_refused(answer, "keep leaving");
}
END_TEST

START_TEST(a_job_between_two_steps_is_told_as_well) {
    TestNode node;
    {
        const ProcessTree tree(1, 0);
        node.add_step(tree);
    }
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    ck_assert_uint_eq(node.block().generation, 5);
}
END_TEST

// What stands in the way is the state file, which is written after the threads have moved.
START_TEST(a_job_whose_move_fails_is_put_back) {
    TestNode node;
    const ProcessTree tree(1, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    std::filesystem::create_directory(node.file("state.new"));
    const Answer answer = node.jobs().handle(target(6, {0}));
    expect_refused(answer, "state.new");
    ck_assert_uint_eq(answer.generation, 5);
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 5);
    std::filesystem::remove(node.file("state.new"));
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_threads_on(tree, 0);
}
END_TEST

START_TEST(a_late_escape_is_found_by_a_recheck) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    bind_task(tree, 0);
    node.jobs().recheck(job_id);
    expect_threads_on(tree, 1);
    node.jobs().recheck(job_id + 1);
}
END_TEST

// Nobody can have escaped, and a look takes milliseconds.
START_TEST(where_nobody_was_moved_a_recheck_does_not_look) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    node.jobs().recheck(job_id);
    node.jobs().handle(target(6, {1}));
    bind_task(tree, 0);
    node.jobs().recheck(job_id);
    expect_threads_on(tree, 0);
}
END_TEST

START_TEST(a_step_of_another_user_is_refused) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    ck_assert_contains(refusal<std::exception>([&] {
                           node.jobs().add_step({job_id, step_id + 1, user + 1, {0}},
                                                find_process(tree.stepd()).value());
                       }),
                       "belongs to user 1234");
}
END_TEST

// Of job 7, which cannot be moved before somebody writes to its cpuset; nothing of job 8 waits.
START_TEST(a_job_that_takes_long_holds_up_no_other) {
    constexpr std::uint32_t other_id = job_id + 1;
    TestNode node;
    const ProcessTree slow(1, 0), other(1, 0);
    node.add_step(slow);
    const std::filesystem::path cpuset = node.cpuset("");
    std::filesystem::create_directories(cpuset.parent_path());
    ck_assert_int_eq(mkfifo(cpuset.c_str(), 0600), 0);
    Answer late;
    std::thread controller([&] { late = node.jobs().handle(target(5, {1})); });
    const auto deadline = std::chrono::steady_clock::now() + vmall::test::limit;
    common::Descriptor writer; // once somebody reads
    while (!writer && std::chrono::steady_clock::now() < deadline)
        writer = common::Descriptor(open(cpuset.c_str(), O_WRONLY | O_NONBLOCK));
    ck_assert(writer);
    node.jobs().add_step({other_id, step_id, user, {0, 1}, spank_vm::Ranks{}},
                         find_process(other.stepd()).value());
    node.jobs().launched({other_id, step_id});
    Target of_other = target(6, {1});
    of_other.job_id = other_id;
    ck_assert(node.jobs().handle(of_other).outcome == Outcome::applied);
    expect_threads_on(other, 1);
    node.jobs().forget(other_id);
    ck_assert_int_eq(unlink(cpuset.c_str()), 0);
    writer = common::Descriptor();
    controller.join();
    expect(late, Outcome::applied, 5);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (!can_be_tested())
        return skipped;
    TCase *tests = tcase_create("jobs");
    tcase_add_test(tests, a_target_moves_the_job_and_is_told_to_it);
    tcase_add_test(tests, a_lower_generation_is_ignored);
    tcase_add_test(tests, the_same_target_again_is_harmless_and_repairs);
    tcase_add_test(tests, a_higher_generation_is_applied);
    tcase_add_test(tests, a_higher_generation_of_the_same_cores_leaves_who_bound_itself);
    tcase_add_test(tests, what_an_earlier_agent_left_is_moved_by_the_next_target);
    tcase_add_test(tests, a_job_that_could_not_be_put_back_is_moved_by_the_next_target);
    tcase_add_loop_test(tests, a_wrong_target_changes_nothing, 0,
                        static_cast<int>(refusals.size()));
    tcase_add_test(tests, a_target_before_the_first_step_is_remembered);
    tcase_add_loop_test(tests, a_remembered_target_is_for_its_run_only, 0,
                        static_cast<int>(said_runs.size()));
    tcase_add_test(tests, a_step_that_lies_about_its_run_does_not_get_an_older_target);
    tcase_add_test(tests, a_target_that_comes_after_the_end_is_not_for_the_next_run);
    tcase_add_test(tests, a_target_that_comes_after_the_end_does_not_move_the_next_run);
    tcase_add_test(tests, a_step_with_the_number_of_one_that_runs_is_beside_it);
    tcase_add_test(tests,
                   a_remembered_target_with_cores_that_slurm_did_not_give_is_not_for_the_step);
    tcase_add_test(
        tests, a_target_of_more_cores_than_the_step_began_with_is_applied_when_it_is_told_again);
    tcase_add_test(tests, a_target_of_a_forgotten_start_does_not_move_the_next_run);
    tcase_add_test(tests, where_no_controller_says_so_other_cores_begin_the_next_run);
    tcase_add_test(tests, where_a_controller_does_a_step_on_other_cores_begins_nothing);
    tcase_add_test(tests, a_number_that_is_another_users_now_is_not_the_ended_jobs);
    tcase_add_test(tests, the_ended_runs_of_a_number_do_not_hold_up_another_users_job);
    tcase_add_test(tests, a_job_is_known_however_many_others_are_named);
    tcase_add_test(tests, a_target_of_the_next_run_is_remembered_after_the_end);
    tcase_add_test(tests, the_next_run_ends_the_one_before);
    tcase_add_test(tests, who_is_left_of_the_run_before_stays_with_the_job);
    tcase_add_test(tests, an_unattached_step_keeps_its_cores);
    tcase_add_test(tests, who_got_the_number_of_a_lost_job_keeps_its_cores);
    tcase_add_test(tests, static_tasks_none_of_which_is_attached_are_not_folded_but_may_grow);
    tcase_add_test(tests, a_job_whose_user_has_not_asked_is_folded_once_all_its_tasks_are_attached);
    tcase_add_test(tests, a_job_whose_user_has_not_asked_is_not_folded_without_ranks);
    tcase_add_test(tests, tasks_of_an_unknown_mpi_library_are_not_folded);
    tcase_add_test(tests, tasks_that_do_not_call_mpi_are_folded);
    tcase_add_test(tests, who_has_no_tasks_may_be_folded);
    tcase_add_test(tests, a_target_waits_for_a_step_that_is_just_starting);
    tcase_add_test(tests, a_target_waits_for_a_step_that_is_being_launched_but_not_for_ever);
    tcase_add_test(tests, cpusets_of_a_step_that_has_been_launched_become_those_of_the_job);
    tcase_add_test(tests, the_launch_of_a_step_of_an_unknown_job_is_refused);
    tcase_add_test(tests, the_extern_step_is_no_obstacle);
    tcase_add_test(tests, where_a_job_has_a_cgroup_its_members_are_asked_for_there);
    tcase_add_test(tests, a_job_that_leaves_its_allotment_for_ever_does_not_hold_the_agent);
    tcase_add_test(tests, a_job_between_two_steps_is_told_as_well);
    tcase_add_test(tests, the_roll_has_who_lives_here_and_where);
    tcase_add_loop_test(tests, residents_are_the_known_jobs_and_want_whole_cores, 0,
                        static_cast<int>(wishes.size()));
    tcase_add_test(tests, a_job_whose_move_fails_is_put_back);
    tcase_add_test(tests, a_late_escape_is_found_by_a_recheck);
    tcase_add_test(tests, where_nobody_was_moved_a_recheck_does_not_look);
    tcase_add_test(tests, a_step_of_another_user_is_refused);
    tcase_add_test(tests, a_job_that_takes_long_holds_up_no_other);
    return run("jobs", tests);
}
