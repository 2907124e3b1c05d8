// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other processes of the node go on beside folded ranks, also where the kernel would let those
// starve them (control/group_scheduling.hpp).
#include "trial.hpp"

#include <atomic>
#include <fstream>
#include <new>
#include <signal.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::test;

namespace {

// Where new cpu cgroups can be made beside each other: around this process; empty: nowhere.
std::string find_cpu_cgroup() {
    std::string mount, path, line;
    for (std::ifstream mounts("/proc/self/mounts"); std::getline(mounts, line);) {
        std::istringstream fields(line);
        std::string device, where, type, options;
        fields >> device >> where >> type >> options;
        if (type == "cgroup" && ("," + options + ",").find(",cpu,") != std::string::npos)
            mount = where;
    }
    for (std::ifstream groups("/proc/self/cgroup"); std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (("," + line.substr(first + 1, second - first - 1) + ",").find(",cpu,") !=
            std::string::npos)
            path = line.substr(second + 1);
    }
    return mount.empty() || path.empty() ? "" : mount + path;
}

// A cpu cgroup, which goes when its last process has gone.
class Group {
  public:
    explicit Group(const std::string &name)
        : around_(find_cpu_cgroup()),
          path_(around_ + "/vmall-" + name + "." + std::to_string(getpid())) {
        made_ = !around_.empty() && mkdir(path_.c_str(), 0755) == 0;
    }
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;
    ~Group() {
        if (made_)
            within(5s, [this] { return rmdir(path_.c_str()) == 0; });
    }
    bool is_made() const { return made_; }
    // The calling process, and those it starts.
    void enter() const { put_into(path_); }
    void leave() const { put_into(around_); }

  private:
    static void put_into(const std::string &path) {
        std::ofstream(path + "/cgroup.procs") << getpid() << std::endl;
    }
    std::string around_, path_;
    bool made_ = false;
};

// Counts how often a process gets to run that wakes every 10 ms, as a daemon might.
class Daemon {
  public:
    Daemon(const Group &group, std::uint16_t cpu) {
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
Group *daemons, *job;

void make_groups() {
    daemons = new Group("daemons");
    job = new Group("job");
}
void remove_groups() {
    delete daemons;
    delete job;
}

// A starved one may run a few times at first.
constexpr int enough_runs = 50;
// Some ten seconds: while the ranks run, this process may starve, too.
constexpr long steps = 1'500'000;

START_TEST(others_run_beside_ranks_that_take_turns) {
    const Cpus cpus = {usable_cpus()[0], usable_cpus()[1]};
    Stage stage;
    stage.allot(cpus, 0, 4);
    job->enter();
    const Program program = stage.start(8, ring(steps, 1));
    job->leave();
    ck_assert(within(20s, [&] { return hand_overs(stage) > 10'000; }));
    const Daemon first(*daemons, cpus[0]), second(*daemons, cpus[1]);
    const auto enough = [&] { return first.runs() > enough_runs && second.runs() > enough_runs; };
    within(100s, [&] { return enough() || program.has_ended(); });
    ck_assert_msg(enough(), "%d and %d runs", first.runs(), second.runs());
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    if (!Group("trial").is_made()) {
        std::puts("no cpu cgroups of version 1 can be made here");
        return skipped;
    }
    TCase *tests = tcase_create("starvation");
    tcase_add_unchecked_fixture(tests, make_groups, remove_groups);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, others_run_beside_ranks_that_take_turns);
    return run("libvmrt and other processes", tests);
}
