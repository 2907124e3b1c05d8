// SPDX-License-Identifier: GPL-2.0-or-later
//
// Real threads of real processes move onto their allotment. Needs two CPUs.
#include "limit.hpp"
#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/confine.hpp"
#include "spank_vm/agent/processes.hpp"
#include "spank_vm/node/cpu_mask.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <list>
#include <optional>
#include <stdexcept>

#include <ctime>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::agent;

namespace {

std::vector<std::uint16_t> cpus;

FindProcesses below(const ProcessTree &tree) {
    return [stepd = find_process(tree.stepd()).value()] {
        return ProcessTable::look().descendants({stepd});
    };
}

void expect_all(const ProcessTree &tree, std::size_t threads, const std::string &list) {
    const auto lists = cpus_of_threads_below(tree.stepd());
    ck_assert_uint_eq(lists.size(), threads);
    for (const std::string &seen : lists)
        ck_assert_text(seen, list);
}

START_TEST(every_thread_of_every_process_moves) {
    const ProcessTree tree(3, 4);
    const std::string one = std::to_string(cpus[0]);
    confine(below(tree), {cpus[0]}, Whom::everybody);
    expect_all(tree, 15, one);
}
END_TEST

START_TEST(all_get_the_whole_of_a_larger_allotment) {
    const ProcessTree tree(2, 2);
    const std::string before = cpus_of(tree.stepd());
    confine(below(tree), {cpus[0]}, Whom::everybody);
    confine(below(tree), cpus, Whom::everybody);
    for (const std::string &seen : cpus_of_threads_below(tree.stepd()))
        ck_assert(seen != std::to_string(cpus[0]));
    ck_assert_text(cpus_of(tree.stepd()), before);
}
END_TEST

START_TEST(who_bound_itself_inside_stays_so) {
    const ProcessTree tree(1, 0);
    const pid_t task = below(tree)()[0].pid;
    vmall::spank_vm::set_affinity(task, vmall::spank_vm::mask_of({cpus[1]}));
    confine(below(tree), cpus, Whom::outsiders);
    ck_assert_text(cpus_of(task), std::to_string(cpus[1]));
}
END_TEST

bool all_run_on(const ProcessTree &tree, std::uint16_t cpu) {
    for (const std::string &seen : cpus_of_threads_below(tree.stepd()))
        if (seen != std::to_string(cpu) && !seen.empty()) // empty: vanished
            return false;
    return true;
}

START_TEST(children_made_meanwhile_do_not_escape) {
    const ProcessTree tree(2, 1, [] {
        signal(SIGCHLD, SIG_IGN);
        for (;;)
            if (fork() == 0) {
                usleep(3000);
                _exit(0);
            } else
                usleep(500);
    });
    for (int i = 0; i < 20; ++i) {
        const std::uint16_t cpu = cpus[static_cast<std::size_t>(i) % 2];
        confine(below(tree), {cpu}, Whom::everybody);
        // Whoever was in the middle of a fork appears, and its children are all.
        const auto deadline = std::chrono::steady_clock::now() + vmall::test::limit;
        do {
            ck_assert(std::chrono::steady_clock::now() < deadline);
            usleep(20000);
            confine(below(tree), {cpu}, Whom::outsiders);
        } while (!all_run_on(tree, cpu));
    }
}
END_TEST

START_TEST(a_job_that_keeps_escaping_is_reported) {
    const ProcessTree tree(1, 0);
    const FindProcesses escaping = [&] {
        auto found = below(tree)();
        vmall::spank_vm::set_affinity(found[0].pid, vmall::spank_vm::mask_of(cpus));
        return found;
    };
    ck_assert_contains(
        refusal<std::runtime_error>([&] { confine(escaping, {cpus[0]}, Whom::everybody); }),
        "keep leaving");
}
END_TEST

class Child {
  public:
    Child() : pid_(fork()) {
        if (pid_ == 0)
            for (;;)
                pause();
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    ~Child() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Process process() const { return find_process(pid_).value(); }

  private:
    pid_t pid_;
};

const struct {
    const char *name;
    useconds_t look; // how long it takes
    int least, most; // looks
} machines[] = {
    {"fast", 0, 10, 50},
    {"so slow that ten looks take two seconds", 200000, 10, 10},
};

// Each look finds somebody more, who has the CPUs of us all.
START_TEST(a_job_that_forks_without_end_is_given_up_after_some_looks) {
    const auto &[name, look, least, most] = machines[_i];
    std::list<Child> children;
    std::vector<Process> processes;
    const FindProcesses find = [&, look = look] {
        usleep(look);
        processes.push_back(children.emplace_back().process());
        return processes;
    };
    ck_assert_contains(
        refusal<std::runtime_error>([&] { confine(find, {cpus[0]}, Whom::outsiders); }),
        "keep leaving");
    const int looks = static_cast<int>(processes.size());
    ck_assert_msg(looks >= least && looks <= most, "%d looks, machine is %s", looks, name);
}
END_TEST

START_TEST(a_move_that_nobody_waits_for_takes_one_look) {
    int looks = 0;
    const ProcessTree tree(1, 1);
    vmall::agent::move(
        [&] {
            ++looks;
            return below(tree)();
        },
        {cpus[0]}, Whom::everybody);
    ck_assert_int_eq(looks, 1);
}
END_TEST

// Each takes milliseconds.
START_TEST(who_is_in_place_is_looked_at_once) {
    const ProcessTree tree(2, 1);
    int looks = 0;
    const FindProcesses find = [&] {
        ++looks;
        return below(tree)();
    };
    confine(find, {cpus[0]}, Whom::everybody);
    ck_assert_int_eq(looks, 2);
    for (const Whom whom : {Whom::everybody, Whom::outsiders}) {
        looks = 0;
        confine(find, {cpus[0]}, whom);
        ck_assert_int_eq(looks, 1);
    }
}
END_TEST

START_TEST(a_cpu_that_is_not_there_is_an_error) {
    const ProcessTree tree(1, 1);
    const std::string answer =
        refusal<std::runtime_error>([&] { confine(below(tree), {1023}, Whom::everybody); });
    ck_assert_contains(answer, "cannot set the affinity");
}
END_TEST

START_TEST(processes_that_have_vanished_are_no_error) {
    pid_t gone = fork();
    if (gone == 0)
        _exit(0);
    waitpid(gone, nullptr, 0);
    confine([gone] { return std::vector<Process>{{gone, 1}}; }, {cpus[0]}, Whom::everybody);
}
END_TEST

START_TEST(a_process_number_used_again_is_another_process) {
    const ProcessTree tree(2, 0);
    Process stepd = find_process(tree.stepd()).value();
    ck_assert_uint_eq(ProcessTable::look().descendants({stepd}).size(), 2);
    ++stepd.start_time;
    ck_assert(!is_alive(stepd));
    ck_assert(ProcessTable::look().descendants({stepd}).empty());
}
END_TEST

std::uint64_t ticks_since_boot() {
    timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    const auto ticks_per_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    return static_cast<std::uint64_t>(now.tv_sec) * ticks_per_second +
           static_cast<std::uint64_t>(now.tv_nsec) * ticks_per_second / 1000000000;
}

START_TEST(the_start_time_is_when_the_process_was_made) {
    const std::uint64_t before = ticks_since_boot();
    const ProcessTree tree(1, 0);
    const std::uint64_t start_time = find_process(tree.stepd()).value().start_time;
    ck_assert_uint_ge(start_time, before);
    ck_assert_uint_le(start_time, ticks_since_boot());
}
END_TEST

START_TEST(a_table_is_of_one_moment) {
    std::optional<ProcessTree> tree(std::in_place, 2, 0);
    const Process stepd = find_process(tree->stepd()).value();
    const ProcessTable before = ProcessTable::look();
    tree.reset();
    ck_assert(before.has(stepd));
    ck_assert_uint_eq(before.descendants({stepd}).size(), 2);
    const ProcessTable after = ProcessTable::look();
    ck_assert(!after.has(stepd));
    ck_assert(after.descendants({stepd}).empty());
}
END_TEST

// As on a node that runs short of them.
class WithoutDescriptors {
  public:
    WithoutDescriptors() {
        getrlimit(RLIMIT_NOFILE, &usual_);
        const rlimit none = {0, usual_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    WithoutDescriptors(const WithoutDescriptors &) = delete;
    WithoutDescriptors &operator=(const WithoutDescriptors &) = delete;
    ~WithoutDescriptors() { setrlimit(RLIMIT_NOFILE, &usual_); }

  private:
    rlimit usual_ = {};
};

START_TEST(who_cannot_be_looked_at_is_not_taken_for_gone) {
    const std::string reason = refusal<std::runtime_error>([] {
        const WithoutDescriptors none; // not longer: sanitizers need some to look at the exception
        find_process(getpid());
    });
    ck_assert_contains(reason, "Too many open files");
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    cpus = usable_cpus();
    if (cpus.empty())
        return skipped;
    TCase *tests = tcase_create("confine");
    tcase_add_test(tests, every_thread_of_every_process_moves);
    tcase_add_test(tests, all_get_the_whole_of_a_larger_allotment);
    tcase_add_test(tests, who_bound_itself_inside_stays_so);
    tcase_add_test(tests, children_made_meanwhile_do_not_escape);
    tcase_add_test(tests, a_job_that_keeps_escaping_is_reported);
    tcase_add_loop_test(tests, a_job_that_forks_without_end_is_given_up_after_some_looks, 0,
                        static_cast<int>(std::size(machines)));
    tcase_add_test(tests, a_move_that_nobody_waits_for_takes_one_look);
    tcase_add_test(tests, who_is_in_place_is_looked_at_once);
    tcase_add_test(tests, a_cpu_that_is_not_there_is_an_error);
    tcase_add_test(tests, processes_that_have_vanished_are_no_error);
    tcase_add_test(tests, who_cannot_be_looked_at_is_not_taken_for_gone);
    tcase_add_test(tests, a_process_number_used_again_is_another_process);
    tcase_add_test(tests, the_start_time_is_when_the_process_was_made);
    tcase_add_test(tests, a_table_is_of_one_moment);
    return run("confine", tests);
}
