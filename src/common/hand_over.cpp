// SPDX-License-Identifier: GPL-2.0-or-later
//
// The children may be forked from a process with many threads: they only make system calls. Who
// waits is woken by who hands over, and at the latest by a timeout.
#include "common/hand_over.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace vmall::common {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_processes = 16;
constexpr std::uint32_t rounds_to_warm_up = 20;
constexpr std::uint64_t nap_ns = 20'000'000;

struct alignas(64) Word {
    std::atomic<std::uint32_t> value;
};

struct Shared {
    Word cpu_plus_1; // 0: not chosen yet
    Word whose_turn;
    Word wake[most_processes];
    Word done;                                     // processes
    std::atomic<std::uint64_t> ns[most_processes]; // CPU time of the rounds
};

void sleep_on(Word &word, std::uint32_t value, std::uint64_t nanoseconds) {
    const timespec time{static_cast<time_t>(nanoseconds / 1'000'000'000),
                        static_cast<long>(nanoseconds % 1'000'000'000)};
    syscall(SYS_futex, &word.value, FUTEX_WAIT, value, &time, nullptr, 0);
}

void wake(Word &word, int count) {
    word.value++;
    syscall(SYS_futex, &word.value, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

class SharedMemory {
  public:
    SharedMemory()
        : memory_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
        if (memory_ == MAP_FAILED)
            throw std::system_error(errno, std::generic_category(), "mmap");
    }
    ~SharedMemory() { munmap(memory_, sizeof(Shared)); }
    SharedMemory(const SharedMemory &) = delete;
    SharedMemory &operator=(const SharedMemory &) = delete;
    Shared &operator*() const { return *static_cast<Shared *>(memory_); }

  private:
    void *memory_;
};

std::uint64_t cpu_time_ns() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec);
}

// The first process says where: the kernel has put it where there was room.
void bind(Shared &shared, std::uint32_t self) {
    if (self == 0 && shared.cpu_plus_1.value == 0)
        shared.cpu_plus_1.value = static_cast<std::uint32_t>(sched_getcpu()) + 1;
    while (shared.cpu_plus_1.value == 0)
        sleep_on(shared.cpu_plus_1, 0, nap_ns / 20);
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(shared.cpu_plus_1.value - 1, &mask);
    sched_setaffinity(0, sizeof mask, &mask);
}

void take_turn(Shared &shared, std::uint32_t self, std::uint32_t processes) {
    Word &own = shared.wake[self];
    for (std::uint32_t wakes = own.value; shared.whose_turn.value != self; wakes = own.value)
        sleep_on(own, wakes, nap_ns);
    const std::uint32_t next = (self + 1) % processes;
    shared.whose_turn.value = next;
    wake(shared.wake[next], 1);
}

void take_turns(Shared &shared, std::uint32_t self, const HandOverRing &ring) {
    const sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);
    bind(shared, self);
    for (std::uint32_t i = 0; i < rounds_to_warm_up; ++i)
        take_turn(shared, self, ring.processes);
    const std::uint64_t before = cpu_time_ns();
    for (std::uint32_t i = 0; i < ring.rounds; ++i)
        take_turn(shared, self, ring.processes);
    shared.ns[self] = cpu_time_ns() - before;
    wake(shared.done, 1);
}

class Child { // killed and reaped at last
  public:
    Child(Shared &shared, std::uint32_t self, const HandOverRing &ring) : pid_(fork()) {
        if (pid_ < 0)
            throw std::system_error(errno, std::generic_category(), "fork");
        if (pid_ > 0)
            return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_turns(shared, self, ring);
        _exit(0);
    }
    Child(Child &&other) noexcept : pid_(other.pid_) { other.pid_ = 0; }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    Child &operator=(Child &&) = delete;
    ~Child() {
        if (pid_ <= 0)
            return;
        kill(pid_, SIGKILL);
        const sched_param usual{};
        sched_setscheduler(pid_, SCHED_OTHER, &usual); // else it might take long to die
        while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

  private:
    pid_t pid_;
};

bool all_are_done(Shared &shared, const HandOverRing &ring) {
    const auto deadline = Clock::now() + ring.patience;
    for (std::uint32_t done = shared.done.value; done < ring.processes; done = shared.done.value) {
        const std::chrono::nanoseconds left = deadline - Clock::now();
        if (left.count() <= 0)
            return false;
        sleep_on(shared.done, done, static_cast<std::uint64_t>(left.count()));
    }
    return true;
}

} // namespace

std::optional<double> hand_over_ns(const HandOverRing &ring) {
    if (ring.processes < 2 || ring.processes > most_processes || ring.rounds == 0)
        throw std::system_error(EINVAL, std::generic_category(), "ring of processes");
    const SharedMemory memory;
    Shared &shared = *memory;
    shared.cpu_plus_1.value = ring.cpu ? static_cast<std::uint32_t>(*ring.cpu) + 1 : 0;
    std::vector<Child> children;
    children.reserve(ring.processes);
    for (std::uint32_t self = 0; self < ring.processes; ++self)
        children.emplace_back(shared, self, ring);
    if (!all_are_done(shared, ring))
        return std::nullopt;
    double sum = 0;
    for (std::uint32_t self = 0; self < ring.processes; ++self)
        sum += static_cast<double>(shared.ns[self]);
    return sum / ring.processes / ring.rounds;
}

} // namespace vmall::common
