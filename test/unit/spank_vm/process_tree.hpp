// SPDX-License-Identifier: GPL-2.0-or-later
//
// A real job in miniature: a process that stands for slurmstepd, tasks below it, threads in each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

class ProcessTree {
  public:
    // `body` runs in each task's main thread once its threads are there; it does not return.
    explicit ProcessTree(int tasks, int threads, std::function<void()> body = {});
    ProcessTree(const ProcessTree &) = delete;
    ProcessTree &operator=(const ProcessTree &) = delete;
    ~ProcessTree(); // ends all of them
    pid_t stepd() const { return stepd_; }

  private:
    pid_t stepd_;
};

// All CPUs of all threads below the process, as the kernel writes the list: one entry for each
// thread.
std::vector<std::string> cpus_of_threads_below(pid_t stepd);

// A thread's list of CPUs, as the kernel writes it.
std::string cpus_of(pid_t thread);

// Two different CPUs that we may use; nothing if there are not two.
std::vector<std::uint16_t> usable_cpus();
