// SPDX-License-Identifier: GPL-2.0-or-later
//
// A process number that is another's by the time it is used: the stranger keeps its CPUs. Needs
// root, who may choose a number, and two CPUs.
#include "limit.hpp"
#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/confine.hpp"
#include "spank_vm/node/cpu_mask.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::agent;
namespace node = vmall::spank_vm;

namespace {

std::vector<std::uint16_t> cpus;

// A child that waits, with this number (0: any). Negative: it cannot have it now.
pid_t make_process(pid_t number) {
    clone_args arguments = {};
    arguments.exit_signal = SIGCHLD;
    if (number) {
        arguments.set_tid = reinterpret_cast<std::uintptr_t>(&number);
        arguments.set_tid_size = 1;
    }
    const auto made = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    if (made == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return made;
}

void end(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
}

// Ends the process and makes another one that has its number, a tick of the clock later.
void use_number_again(const Process &process) {
    end(process.pid);
    const auto deadline = std::chrono::steady_clock::now() + vmall::test::limit;
    for (;;) {
        ck_assert(std::chrono::steady_clock::now() < deadline);
        const pid_t made = make_process(process.pid);
        if (made < 0)
            continue; // somebody else has got it
        if (find_process(made) != process)
            return;
        end(made);
    }
}

void expect_cpus(pid_t process, const cpu_set_t &expected) {
    const auto mask = node::affinity(process);
    ck_assert(mask && CPU_EQUAL(&*mask, &expected));
}

START_TEST(a_stranger_with_a_members_number_is_not_moved) {
    for (const Whom whom : {Whom::everybody, Whom::outsiders}) {
        const Process member = find_process(make_process(0)).value();
        const cpu_set_t usual = node::affinity(member.pid).value();
        bool first = true;
        const FindProcesses find = [&] {
            if (std::exchange(first, false))
                use_number_again(member);
            return std::vector<Process>{member};
        };
        ck_assert(!confine(find, {cpus[0]}, whom));
        expect_cpus(member.pid, usual);
        end(member.pid);
    }
}
END_TEST

START_TEST(a_thread_of_another_process_is_none_of_the_members) {
    const Process member = find_process(make_process(0)).value();
    const Process other = find_process(make_process(0)).value();
    ck_assert(find_thread(member, member.pid) == member);
    ck_assert(!find_thread(member, other.pid));
    use_number_again(member);
    ck_assert(!find_thread(member, member.pid));
    end(member.pid);
    end(other.pid);
}
END_TEST

START_TEST(a_stranger_that_was_moved_gets_what_it_was_made_with) {
    const pid_t stranger = make_process(0);
    const cpu_set_t usual = node::affinity(stranger).value();
    const cpu_set_t allotment = node::mask_of({cpus[0]});
    const cpu_set_t own = node::mask_of({cpus[1]});
    node::set_affinity(stranger, allotment);
    put_back_stranger(stranger, allotment);
    expect_cpus(stranger, usual);
    node::set_affinity(stranger, own);
    put_back_stranger(stranger, allotment);
    expect_cpus(stranger, own);
    end(stranger);
    put_back_stranger(stranger, allotment);
}
END_TEST

bool may_choose_numbers() {
    const pid_t made = make_process(0);
    end(made);
    const pid_t again = make_process(made);
    if (again < 0)
        return errno == EEXIST;
    end(again);
    return true;
}

} // namespace

int main() {
    constexpr int skipped = 77;
    cpus = usable_cpus();
    if (cpus.empty() || !may_choose_numbers())
        return skipped;
    TCase *tests = tcase_create("reused numbers");
    tcase_add_test(tests, a_stranger_with_a_members_number_is_not_moved);
    tcase_add_test(tests, a_thread_of_another_process_is_none_of_the_members);
    tcase_add_test(tests, a_stranger_that_was_moved_gets_what_it_was_made_with);
    return run("reused_numbers", tests);
}
