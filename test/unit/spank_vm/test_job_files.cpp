// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent has of a job in files: that outlives the agent, is told to the ranks, and goes
// with the job.
#include "agent_node.hpp"
#include "spank_vm/agent/leftovers.hpp"

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>

using namespace vmall;
using namespace vmall::agent;

namespace {

START_TEST(a_restarted_agent_knows_jobs_and_steps) {
    TestNode node;
    const ProcessTree tree(2, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    node.start_agent();
    expect(node.jobs().handle(target(4, {0})), Outcome::superseded, 5);
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_threads_on(tree, 0);
}
END_TEST

START_TEST(a_restarted_agent_finishes_what_was_begun) {
    TestNode node;
    const ProcessTree tree(1, 1);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    // Killed after the state was saved, in the middle of writing the block.
    const pid_t task =
        ProcessTable::look().descendants({find_process(tree.stepd()).value()})[0].pid;
    spank_vm::set_affinity(task, spank_vm::mask_of(core_map().cpus({0})));
    std::fstream raw(node.file("control"), std::ios::in | std::ios::out | std::ios::binary);
    raw.seekp(offsetof(vmall_control_block, sequence));
    raw.put(1);
    raw.close();
    node.start_agent();
    expect_threads_on(tree, 1);
    ck_assert_uint_eq(node.block().generation, 5);
}
END_TEST

void expect_settings(const spank_vm::Published &block, vmall_run_queues run_queues,
                     vmall_next_rank next_rank) {
    ck_assert_int_eq(block.runtime.coscheduling, node_runtime.coscheduling);
    ck_assert_int_eq(block.runtime.next_rank, next_rank);
    ck_assert_int_eq(block.runtime.run_queues, run_queues);
}

START_TEST(a_job_without_a_list_has_the_nodes_settings) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree, 0, spank_vm::Ranks{});
    expect_settings(node.block(), VMALL_QUEUES_KERNEL, VMALL_NEXT_MESSAGES);
    ck_assert_uint_eq(node.block().cpus_per_rank, 1);
    ck_assert_uint_eq(node.block().node_count, 1);
}
END_TEST

START_TEST(what_a_job_asks_for_is_kept_through_folds_and_restarts) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(
        tree, 0,
        spank_vm::Ranks{vmall::config::parse_runtime_request("queues=local,next=sender"), 2, 12});
    for (const wire::Generation generation : {5, 6}) {
        expect_settings(node.block(), VMALL_QUEUES_LOCAL, VMALL_NEXT_SENDER);
        ck_assert_uint_eq(node.block().cpus_per_rank, 2);
        ck_assert_uint_eq(node.block().node_count, 12);
        expect(node.jobs().handle(target(generation, {1})), Outcome::applied, generation);
        expect_settings(node.block(), VMALL_QUEUES_LOCAL, VMALL_NEXT_SENDER);
        node.start_agent();
    }
}
END_TEST

START_TEST(the_step_that_started_last_decides_for_the_job) {
    TestNode node;
    const ProcessTree first(1, 0), second(1, 0), outsider(1, 0), third(1, 0);
    node.add_step(first, 0,
                  spank_vm::Ranks{vmall::config::parse_runtime_request("queues=local"), 1, 1});
    node.add_step(second, 1,
                  spank_vm::Ranks{vmall::config::parse_runtime_request("next=sender"), 4, 2});
    expect_settings(node.block(), VMALL_QUEUES_KERNEL, VMALL_NEXT_SENDER);
    ck_assert_uint_eq(node.block().cpus_per_rank, 4);
    node.add_step(outsider, 2, std::nullopt);
    expect_settings(node.block(), VMALL_QUEUES_KERNEL, VMALL_NEXT_SENDER);
    ck_assert_uint_eq(node.block().cpus_per_rank, 4);
    node.add_step(third, 3, spank_vm::Ranks{});
    expect_settings(node.block(), VMALL_QUEUES_KERNEL, VMALL_NEXT_MESSAGES);
    ck_assert_uint_eq(node.block().cpus_per_rank, 1);
}
END_TEST

struct Damage {
    const char *file;
    const char *content;
};

#define STATE(cores, mpl, steps, runtime)                                                          \
    "{\"job\":{\"user\":1234,\"cores\":\"" cores "\",\"mpl\":" mpl                                 \
    ",\"generation\":5,\"steps\":[" steps "],\"ranks\":{\"runtime\":\"" runtime                    \
    "\",\"cpus_per_rank\":1,\"nodes\":1}}}"

const char undamaged[] = STATE("0", "1", "", "");

const Damage damages[] = {
    {"control", "short"},
    {"state", ""},
    {"state", STATE("0", "1", "{}", "")},
    {"state", STATE("1-", "1", "", "")},
    {"state", STATE("0", "0", "", "")},
    {"state", STATE("0", "1", "", "x")},
    {"state", "{\"job\":{\"user\":1234,\"cores\":\"0\",\"mpl\":1,\"generation\":5,\"steps\":[]}}"},
};

// Else the damages would prove nothing.
START_TEST(a_state_without_damage_is_taken) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    write_content(node.file("state"), undamaged);
    node.start_agent();
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
}
END_TEST

START_TEST(a_damaged_job_is_not_touched_until_it_ends) {
    const Damage &damage = damages[_i];
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    write_content(node.file(damage.file), damage.content);
    node.start_agent();
    expect_refused(node.jobs().handle(target(6, {0})), "damaged");
    ck_assert_contains(refusal<std::exception>([&] { node.add_step(tree); }), "damaged");
    expect_threads_on(tree, 1);
    node.jobs().forget(job_id);
    ck_assert(!std::filesystem::exists(node.file("")));
    expect(node.jobs().handle(target(6, {0})), Outcome::unknown_job, 0);
}
END_TEST

// The agent was killed before the first step had an answer: slurmstepd asks again.
START_TEST(a_job_whose_files_are_not_all_made_is_made_anew) {
    for (const char *missing : {"state", "control"}) {
        TestNode node;
        const ProcessTree tree(1, 0);
        node.add_step(tree);
        std::filesystem::remove(node.file(missing));
        node.start_agent();
        ck_assert(!std::filesystem::exists(node.file("")));
        node.add_step(tree);
        expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
        expect_threads_on(tree, 1);
    }
}
END_TEST

START_TEST(a_step_with_impossible_cores_leaves_nothing) {
    TestNode node;
    const ProcessTree tree(1, 0);
    ck_assert_contains(refusal<std::exception>([&] {
                           node.jobs().add_step({job_id, step_id, user, {60000}},
                                                find_process(tree.stepd()).value());
                       }),
                       "core 60000");
    ck_assert(!std::filesystem::exists(node.file("")));
}
END_TEST

START_TEST(a_forgotten_job_leaves_nothing) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().forget(job_id);
    ck_assert(!std::filesystem::exists(node.file("")));
    node.jobs().forget(job_id);
}
END_TEST

START_TEST(a_job_that_ended_unheard_leaves_nothing) {
    TestNode node;
    std::optional<ProcessTree> tree(std::in_place, 1, 0);
    node.add_step(*tree);
    ck_assert(node.jobs().without_steps().empty());
    node.jobs().forget_without_steps(job_id);
    ck_assert(std::filesystem::exists(node.file("")));
    tree.reset();
    ck_assert(node.jobs().without_steps() == std::vector<std::uint32_t>{job_id});
    std::promise<void> asked;
    const auto ask = [&](bool ended) {
        return [&, ended](std::uint32_t job, const Stopping &) {
            ck_assert_uint_eq(job, job_id);
            asked.set_value();
            return ended;
        };
    };
    {
        const Leftovers leftovers(node.jobs(), ask(false));
        asked.get_future().wait();
    }
    ck_assert(std::filesystem::exists(node.file("")));
    asked = {};
    {
        const Leftovers leftovers(node.jobs(), ask(true));
        asked.get_future().wait();
    }
    ck_assert(!std::filesystem::exists(node.file("")));
}
END_TEST

START_TEST(damaged_files_are_nobodys_either_once_the_job_has_ended) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    write_content(node.file("state"), "");
    node.start_agent();
    ck_assert(node.jobs().without_steps() == std::vector<std::uint32_t>{job_id});
    node.jobs().forget_without_steps(job_id);
    ck_assert(!std::filesystem::exists(node.file("")));
}
END_TEST

START_TEST(programs_can_read_the_allotment_and_not_write_it) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    std::ifstream file(node.file("allotment"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ck_assert_contains(text, "cores=1\nmpl=");
    ck_assert_contains(text, "\ncpus=");
    ck_assert_contains(text, "\ngeneration=5\n");
    struct stat status;
    ck_assert_int_eq(stat(node.file("allotment").c_str(), &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0644);
}
END_TEST

// In IPC objects of our own; false if this machine lets us have none.
bool leave_no_shared_memory() {
    if (unshare(CLONE_NEWIPC) != 0)
        return false;
    std::ofstream("/proc/sys/kernel/shmmni") << 0;
    return shmget(IPC_PRIVATE, 1, 0600) < 0;
}

START_TEST(the_runtime_page_is_the_users) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    const std::uint32_t key = node.runtime_key();
    struct shmid_ds status;
    ck_assert_int_eq(shmctl(shmget(static_cast<key_t>(key), 0, 0), IPC_STAT, &status), 0);
    ck_assert_uint_eq(status.shm_perm.uid, user);
    ck_assert_int_eq(status.shm_perm.mode, 0600);
    node.jobs().handle(target(5, {1}));
    node.start_agent();
    node.jobs().handle(target(6, {0}));
    ck_assert_uint_eq(node.runtime_key(), key); // for as long as the job runs here
    node.jobs().forget(job_id);
    ck_assert_int_eq(shmget(static_cast<key_t>(key), 0, 0), -1);
}
END_TEST

// A user may fill what the node has for all of its users.
START_TEST(a_job_without_a_runtime_page_folds) {
    TestNode node;
    const ProcessTree tree(1, 0);
    if (!leave_no_shared_memory())
        return;
    node.add_step(tree);
    ck_assert_uint_eq(node.runtime_key(), 0);
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_threads_on(tree, 1);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (!can_be_tested())
        return skipped;
    TCase *tests = tcase_create("job_files");
    tcase_add_test(tests, a_restarted_agent_knows_jobs_and_steps);
    tcase_add_test(tests, a_restarted_agent_finishes_what_was_begun);
    tcase_add_test(tests, a_job_without_a_list_has_the_nodes_settings);
    tcase_add_test(tests, what_a_job_asks_for_is_kept_through_folds_and_restarts);
    tcase_add_test(tests, the_step_that_started_last_decides_for_the_job);
    tcase_add_test(tests, a_state_without_damage_is_taken);
    tcase_add_loop_test(tests, a_damaged_job_is_not_touched_until_it_ends, 0,
                        static_cast<int>(std::size(damages)));
    tcase_add_test(tests, a_step_with_impossible_cores_leaves_nothing);
    tcase_add_test(tests, a_forgotten_job_leaves_nothing);
    tcase_add_test(tests, a_job_that_ended_unheard_leaves_nothing);
    tcase_add_test(tests, a_job_whose_files_are_not_all_made_is_made_anew);
    tcase_add_test(tests, damaged_files_are_nobodys_either_once_the_job_has_ended);
    tcase_add_test(tests, programs_can_read_the_allotment_and_not_write_it);
    tcase_add_test(tests, the_runtime_page_is_the_users);
    tcase_add_test(tests, a_job_without_a_runtime_page_folds);
    return run("files of jobs", tests);
}
