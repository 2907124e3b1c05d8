// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other processes of the node go on beside folded ranks, also where the kernel would let those
// starve them (common/group_scheduling.hpp).
#include "cpu_group.hpp"
#include "trial.hpp"

#include <atomic>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::test;

namespace {

// Counts how often a process gets to run that wakes every 10 ms, as a daemon might.
class Daemon {
  public:
    Daemon(const CpuGroup &group, std::uint16_t cpu) {
        void *memory = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        runs_ = new (memory) std::atomic<int>(0);
        process_ = fork();
        if (process_ != 0)
            return;
        group.enter();
        bind_this_process({cpu});
        for (;; ++*runs_)
            std::this_thread::sleep_for(10ms);
    }
    Daemon(const Daemon &) = delete;
    Daemon &operator=(const Daemon &) = delete;
    ~Daemon() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        munmap(runs_, sizeof *runs_);
    }
    int runs() const { return *runs_; }

  private:
    std::atomic<int> *runs_;
    pid_t process_;
};

// Of all tests: each is a process of its own, and one that fails runs no destructors.
CpuGroup *daemons, *job;

void make_groups() {
    daemons = new CpuGroup("daemons");
    job = new CpuGroup("job");
}
void remove_groups() {
    delete daemons;
    delete job;
}

// A starved one may run a few times at first.
constexpr int enough_runs = 50;
// The ranks are told to end when the daemons have run; as many steps as last some minutes end those
// that starve this process, too.
constexpr long most_steps = 20'000'000;

constexpr vmall_run_queues queues[] = {VMALL_QUEUES_LOCAL, VMALL_QUEUES_KERNEL};

START_TEST(others_run_beside_ranks_that_take_turns_or_yield) {
    const Cpus cpus = {usable_cpus()[0], usable_cpus()[1]};
    Stage stage;
    stage.control().run_queues = queues[_i];
    stage.allot(cpus, 0, 4);
    job->enter();
    Program program = stage.start(8, ring(most_steps, 1));
    job->leave();
    ck_assert(comes_true([&] { return sum(stage, &vmall_runtime_slot::sent) > 10'000; }));
    const Daemon first(*daemons, cpus[0]), second(*daemons, cpus[1]);
    const auto enough = [&] { return first.runs() > enough_runs && second.runs() > enough_runs; };
    comes_true([&] { return enough() || program.has_ended(); });
    ck_assert_msg(enough(), "%d and %d runs", first.runs(), second.runs());
    tell_to_end(stage);
    assert_succeeded(program.wait());
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    if (!CpuGroup("trial").is_made()) {
        std::puts("no cpu cgroups of version 1 can be made here");
        return skipped;
    }
    TCase *tests = tcase_create("starvation");
    tcase_add_unchecked_fixture(tests, make_groups, remove_groups);
    tcase_add_loop_test(tests, others_run_beside_ranks_that_take_turns_or_yield, 0, 2);
    return run("libvmrt and other processes", tests);
}
