// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least that a hand-over costs on this machine: processes on one CPU wake each other in turn
// and sleep, without MPI and without the runtime's bookkeeping.
#include "fold_hand_over.hpp"

#include "libvmrt/shared_word.hpp"
#include "unit/libvmrt/stage.hpp"

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace vmall::bench {
namespace {

using namespace runtime;

constexpr std::uint32_t hand_overs = 200000;
constexpr std::uint32_t most_processes = 16;
constexpr std::uint64_t patience_ns = 500'000'000;

struct alignas(64) Word {
    std::uint32_t value;
};

struct Shared {
    Word whose_turn;
    Word wake[most_processes];
};

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

void take_turns(Shared &shared, std::uint32_t self, std::uint32_t processes) {
    const std::uint32_t next = (self + 1) % processes;
    for (std::uint32_t i = 0; i < hand_overs / processes; ++i) {
        for (std::uint32_t wakes = load(shared.wake[self].value);
             load(shared.whose_turn.value) != self; wakes = load(shared.wake[self].value))
            futex_sleep(shared.wake[self].value, wakes, patience_ns);
        store(shared.whose_turn.value, next);
        increment(shared.wake[next].value);
        futex_wake_one(shared.wake[next].value);
    }
}

pid_t start(Shared &shared, std::uint32_t self, std::uint32_t processes, std::uint16_t cpu) {
    const pid_t process = fork();
    if (process < 0)
        throw std::system_error(errno, std::generic_category(), "fork");
    if (process == 0) {
        test::bind_this_process({cpu});
        take_turns(shared, self, processes);
        _exit(0);
    }
    return process;
}

} // namespace

double hand_over_ns(std::uint16_t cpu, std::uint32_t processes) {
    if (processes < 2 || processes > most_processes)
        throw std::runtime_error("no ring of " + std::to_string(processes) + " processes");
    const SharedMemory shared;
    const auto start_time = std::chrono::steady_clock::now();
    std::vector<pid_t> ring;
    for (std::uint32_t self = 0; self < processes; ++self)
        ring.push_back(start(*shared, self, processes, cpu));
    for (const pid_t process : ring) {
        int status = 0;
        if (waitpid(process, &status, 0) != process || status != 0)
            throw std::runtime_error("a process that hands over failed");
    }
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start_time;
    return time.count() / hand_overs;
}

} // namespace vmall::bench
