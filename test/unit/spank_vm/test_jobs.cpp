// SPDX-License-Identifier: GPL-2.0-or-later
//
// What becomes of targets, registrations and ends of jobs, with real processes. Needs root and two
// CPUs.
#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/cpu_mask.hpp"
#include "spank_vm/index_list.hpp"
#include "temporary_directory.hpp"

#include <algorithm>
#include <memory>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace vmall;
using namespace vmall::agent;
using control::Answer;
using control::Outcome;
using control::Target;

namespace {

constexpr std::uint32_t job_id = 7;
constexpr uid_t user = 1234;
constexpr std::uint32_t step_id = 3;
constexpr std::uint32_t extern_step_id = 0xfffffffc;

// Of this machine, claiming as many cores as it has. Read once: that takes its time.
const CoreMap &core_map() {
    static const CoreMap map = [] {
        std::uint32_t cores = 1;
        while (!CoreMap(cores + 1).overclaimed())
            ++cores;
        return CoreMap(cores);
    }();
    return map;
}

// A node, and what is on its disk.
class TestNode {
  public:
    TestNode() {
        std::filesystem::create_directory(directory_ / "spool");
        start_agent();
    }
    // As after a restart of slurmd.
    void start_agent() {
        jobs_.reset();
        jobs_ =
            std::make_unique<Jobs>(Node{"n1", directory_ / "spool", RuntimeDir(directory_ / "run"),
                                        core_map(), Cpusets(directory_ / "cgroup", "n1")});
    }
    Jobs &jobs() { return *jobs_; }
    std::string file(const std::string &name) const {
        return directory_ / ("run/" + std::to_string(job_id) + "/" + name);
    }
    spank_vm::Published block() const {
        return spank_vm::ControlFile::open_read_only(file("control"), job_id).read();
    }
    void add_step(const ProcessTree &tree) {
        jobs_->add_step({job_id, step_id, user, {0, 1}}, find_process(tree.stepd()).value());
    }
    void make_step_socket(std::uint32_t step) const {
        const std::string path =
            directory_ / ("spool/n1_" + std::to_string(job_id) + "." + std::to_string(step));
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        const control::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
        ck_assert_int_eq(
            bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    }

  private:
    TemporaryDirectory directory_;
    std::unique_ptr<Jobs> jobs_;
};

Target target(control::Generation generation, std::vector<std::uint32_t> cores) {
    return {"n1", job_id, user, std::move(cores), 2, generation};
}

void expect(const Answer &answer, Outcome outcome, control::Generation generation) {
    ck_assert_msg(answer.outcome == outcome, "outcome %d: %s", static_cast<int>(answer.outcome),
                  answer.reason.c_str());
    ck_assert_uint_eq(answer.generation, generation);
    ck_assert_uint_eq(answer.job_id, job_id);
    ck_assert_text(answer.node, "n1");
}

void expect_refused(const Answer &answer, const char *reason) {
    ck_assert(answer.outcome == Outcome::refused);
    ck_assert_contains(answer.reason, reason);
}

std::string cpus_of_core(std::uint32_t core) {
    std::vector<std::uint32_t> ascending;
    for (const std::uint16_t cpu : core_map().cpus({core}))
        ascending.push_back(cpu);
    std::sort(ascending.begin(), ascending.end());
    return spank_vm::format_index_list(ascending);
}

void expect_threads_on(const ProcessTree &tree, std::uint32_t core) {
    const auto lists = cpus_of_threads_below(tree.stepd());
    ck_assert(!lists.empty());
    for (const std::string &list : lists)
        ck_assert_text(list, cpus_of_core(core));
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

START_TEST(the_same_target_again_is_harmless_and_repairs) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    node.jobs().handle(target(5, {1}));
    const pid_t task = descendants({find_process(tree.stepd()).value()})[0];
    spank_vm::set_affinity(task, spank_vm::mask_of(core_map().cpus({0})));
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_threads_on(tree, 1);
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

START_TEST(an_unattached_step_keeps_its_cores) {
    TestNode node;
    node.make_step_socket(step_id);
    expect_refused(node.jobs().handle(target(5, {1})), "unattached");
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    expect(node.jobs().handle(target(6, {1})), Outcome::applied, 6);
    node.make_step_socket(step_id + 1);
    expect_refused(node.jobs().handle(target(7, {0})), "unattached");
    expect_threads_on(tree, 1);
}
END_TEST

START_TEST(a_target_waits_for_a_step_that_is_just_starting) {
    TestNode node;
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

START_TEST(the_extern_step_is_no_obstacle) {
    TestNode node;
    node.make_step_socket(extern_step_id);
    expect(node.jobs().handle(target(5, {1})), Outcome::unknown_job, 0);
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
    const pid_t task = descendants({find_process(tree.stepd()).value()})[0];
    spank_vm::set_affinity(task, spank_vm::mask_of(core_map().cpus({0})));
    node.jobs().recheck(job_id);
    expect_threads_on(tree, 1);
    node.jobs().recheck(job_id + 1);
}
END_TEST

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
    const pid_t task = descendants({find_process(tree.stepd()).value()})[0];
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

struct Damage {
    const char *file;
    const char *content;
};

const Damage damages[] = {
    {"control", "short"},
    {"state", ""},
    {"state",
     "{\"job\":{\"user\":1234,\"cores\":\"0\",\"mpl\":1,\"generation\":5,\"steps\":[{}]}}"},
    {"state", "{\"job\":{\"user\":1234,\"cores\":\"1-\",\"mpl\":1,\"generation\":5,\"steps\":[]}}"},
    {"state", "{\"job\":{\"user\":1234,\"cores\":\"0\",\"mpl\":0,\"generation\":5,\"steps\":[]}}"},
};

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

START_TEST(the_runtime_page_is_the_users) {
    TestNode node;
    const ProcessTree tree(1, 0);
    node.add_step(tree);
    struct stat status;
    ck_assert_int_eq(stat(node.file("runtime").c_str(), &status), 0);
    ck_assert_uint_eq(status.st_uid, user);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0 || usable_cpus().empty() || core_map().claimed_cores() < 2)
        return skipped;
    TCase *tests = tcase_create("jobs");
    tcase_add_test(tests, a_target_moves_the_job_and_is_told_to_it);
    tcase_add_test(tests, a_lower_generation_is_ignored);
    tcase_add_test(tests, the_same_target_again_is_harmless_and_repairs);
    tcase_add_test(tests, a_higher_generation_is_applied);
    tcase_add_loop_test(tests, a_wrong_target_changes_nothing, 0,
                        static_cast<int>(refusals.size()));
    tcase_add_test(tests, a_target_before_the_first_step_is_remembered);
    tcase_add_test(tests, an_unattached_step_keeps_its_cores);
    tcase_add_test(tests, a_target_waits_for_a_step_that_is_just_starting);
    tcase_add_test(tests, the_extern_step_is_no_obstacle);
    tcase_add_test(tests, a_job_between_two_steps_is_told_as_well);
    tcase_add_test(tests, a_job_whose_move_fails_is_put_back);
    tcase_add_test(tests, a_late_escape_is_found_by_a_recheck);
    tcase_add_test(tests, a_restarted_agent_knows_jobs_and_steps);
    tcase_add_test(tests, a_restarted_agent_finishes_what_was_begun);
    tcase_add_loop_test(tests, a_damaged_job_is_not_touched_until_it_ends, 0,
                        static_cast<int>(std::size(damages)));
    tcase_add_test(tests, a_step_of_another_user_is_refused);
    tcase_add_test(tests, a_step_with_impossible_cores_leaves_nothing);
    tcase_add_test(tests, a_forgotten_job_leaves_nothing);
    tcase_add_test(tests, the_runtime_page_is_the_users);
    return run("jobs", tests);
}
