// SPDX-License-Identifier: GPL-2.0-or-later
//
// A slurmstepd that was killed: real processes without it are found and moved, or nothing is
// confirmed. Needs root and two CPUs.
#include "agent_node.hpp"
#include "spank_vm/agent/lost_steps.hpp"

#include <csignal>
#include <functional>
#include <sys/prctl.h>
#include <sys/wait.h>

using namespace vmall;
using namespace vmall::agent;

namespace {

constexpr uid_t stranger = user + 1;

int test_end[2]; // a pipe that nobody writes to

[[noreturn]] void wait_for_the_end() {
    char nothing;
    close(test_end[1]);
    while (read(test_end[0], &nothing, 1) != 0)
        continue;
    _exit(0);
}

// So that their end is seen, and comes with that of the test.
void adopt_orphans() {
    ck_assert_int_eq(pipe(test_end), 0);
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

void leave_session() {
    ck_assert_int_gt(setsid(), 0);
}

// A slurmstepd in a session that its parent made and left, with a task of a user. They do not end
// with their parents.
class RealStep {
  public:
    explicit RealStep(
        const std::function<void()> &before_task = [] {}, uid_t of = user) {
        int numbers[2];
        ck_assert_int_eq(pipe(numbers), 0);
        const pid_t parent = fork();
        if (parent == 0) {
            setsid();
            if (fork() == 0)
                be_stepd(numbers[1], before_task, of);
            _exit(0);
        }
        waitpid(parent, nullptr, 0);
        ck_assert_int_eq(read(numbers[0], &stepd_, sizeof stepd_), sizeof stepd_);
        ck_assert_int_eq(read(numbers[0], &task_, sizeof task_), sizeof task_);
        close(numbers[0]);
        close(numbers[1]);
    }
    RealStep(const RealStep &) = delete;
    RealStep &operator=(const RealStep &) = delete;
    ~RealStep() {
        kill_stepd();
        end_task();
    }
    pid_t stepd() const { return stepd_; }
    pid_t task() const { return task_; }
    void kill_stepd() { end(stepd_); }
    void end_task() { end(task_); }

  private:
    [[noreturn]] static void be_stepd(int numbers, const std::function<void()> &before_task,
                                      uid_t of) {
        const pid_t self = getpid();
        if (write(numbers, &self, sizeof self) != sizeof self)
            _exit(1);
        const pid_t task = fork();
        if (task == 0) {
            before_task();
            const pid_t number = getpid();
            if (setuid(of) != 0 || write(numbers, &number, sizeof number) != sizeof number)
                _exit(1);
        }
        wait_for_the_end();
    }
    static void end(pid_t pid) {
        const auto process = find_process(pid);
        if (!process || kill(pid, SIGKILL) != 0)
            return;
        const auto deadline = std::chrono::steady_clock::now() + vmall::test::limit;
        while (waitpid(pid, nullptr, WNOHANG) != pid && is_alive(*process)) {
            ck_assert(std::chrono::steady_clock::now() < deadline);
            usleep(1000);
        }
    }

    pid_t stepd_ = 0;
    pid_t task_ = 0;
};

void add_step(TestNode &node, const RealStep &step, std::uint32_t id = step_id) {
    node.jobs().add_step({job_id, id, user, {0, 1}, spank_vm::Ranks{}},
                         find_process(step.stepd()).value());
    node.jobs().launched({job_id, id});
}

void expect_on(pid_t process, std::uint32_t core) {
    ck_assert_text(cpus_of(process), cpus_of_core(core));
}

START_TEST(a_task_in_the_session_of_a_killed_slurmstepd_is_moved) {
    TestNode node;
    RealStep step;
    add_step(node, step);
    node.leave_step_socket(step_id);
    step.kill_stepd();
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_on(step.task(), 1);
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_on(step.task(), 0);
}
END_TEST

START_TEST(an_agent_that_starts_anew_finds_it_too) {
    TestNode node;
    RealStep step;
    add_step(node, step);
    node.leave_step_socket(step_id);
    step.kill_stepd();
    node.jobs().handle(target(5, {1}));
    node.start_agent();
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_on(step.task(), 0);
}
END_TEST

START_TEST(whom_an_earlier_look_has_seen_is_moved) {
    TestNode node;
    RealStep step(leave_session);
    add_step(node, step);
    node.jobs().handle(target(5, {1}));
    node.leave_step_socket(step_id);
    step.kill_stepd();
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_on(step.task(), 0);
}
END_TEST

START_TEST(who_has_a_slot_is_moved) {
    TestNode node;
    RealStep step(leave_session);
    add_step(node, step);
    write_slots(node, {step.task()});
    node.leave_step_socket(step_id);
    step.kill_stepd();
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    expect_on(step.task(), 1);
}
END_TEST

START_TEST(another_users_process_is_not_moved_whatever_the_slots_say) {
    TestNode node;
    const RealStep other([] {}, stranger);
    const std::string before = cpus_of(other.task());
    RealStep step;
    add_step(node, step);
    write_slots(node, {other.task(), getpid()});
    node.leave_step_socket(step_id);
    step.kill_stepd();
    expect(node.jobs().handle(target(5, {1})), Outcome::applied, 5);
    ck_assert_text(cpus_of(other.task()), before);
}
END_TEST

START_TEST(nothing_is_confirmed_while_it_is_not_known_who_is_left) {
    TestNode node;
    RealStep step(leave_session);
    add_step(node, step);
    node.leave_step_socket(step_id);
    step.kill_stepd();
    expect_refused(node.jobs().handle(target(5, {1})), "who is left");
    step.end_task();
    expect(node.jobs().handle(target(6, {1})), Outcome::applied, 6);
}
END_TEST

START_TEST(an_unattached_step_that_was_killed_is_no_obstacle_once_nobody_is_left) {
    TestNode node;
    RealStep attached, unattached;
    node.leave_step_socket(step_id + 1);
    unattached.kill_stepd();
    expect_refused(node.jobs().handle(target(4, {1})), "who is left");
    add_step(node, attached);
    expect_refused(node.jobs().handle(target(5, {1})), "who is left");
    unattached.end_task();
    expect(node.jobs().handle(target(6, {1})), Outcome::applied, 6);
    expect_on(attached.task(), 1);
}
END_TEST

START_TEST(the_next_step_of_the_same_number_does_not_hide_what_is_left) {
    TestNode node;
    RealStep first, second;
    add_step(node, first);
    node.leave_step_socket(step_id);
    first.kill_stepd();
    add_step(node, second);
    expect(node.jobs().handle(target(6, {0})), Outcome::applied, 6);
    expect_on(first.task(), 0);
    expect_on(second.task(), 0);
}
END_TEST

START_TEST(a_step_that_has_ended_is_dropped_while_another_runs) {
    TestNode node;
    RealStep ended, running;
    add_step(node, running);
    add_step(node, ended, step_id + 1);
    node.jobs().handle(target(5, {1}));
    ended.kill_stepd();
    ended.end_task();
    for (const wire::Generation generation : {6, 7})
        expect(node.jobs().handle(target(generation, {1})), Outcome::applied, generation);
    const std::string state = content_of(node.file("state"));
    ck_assert_contains(state, std::to_string(running.stepd()));
    ck_assert(state.find(std::to_string(ended.stepd())) == std::string::npos);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (!can_be_tested())
        return skipped;
    TCase *tests = tcase_create("lost steps");
    tcase_add_checked_fixture(tests, adopt_orphans, nullptr);
    tcase_add_test(tests, a_task_in_the_session_of_a_killed_slurmstepd_is_moved);
    tcase_add_test(tests, an_agent_that_starts_anew_finds_it_too);
    tcase_add_test(tests, whom_an_earlier_look_has_seen_is_moved);
    tcase_add_test(tests, who_has_a_slot_is_moved);
    tcase_add_test(tests, another_users_process_is_not_moved_whatever_the_slots_say);
    tcase_add_test(tests, nothing_is_confirmed_while_it_is_not_known_who_is_left);
    tcase_add_test(tests, an_unattached_step_that_was_killed_is_no_obstacle_once_nobody_is_left);
    tcase_add_test(tests, the_next_step_of_the_same_number_does_not_hide_what_is_left);
    tcase_add_test(tests, a_step_that_has_ended_is_dropped_while_another_runs);
    return run("lost_steps", tests);
}
