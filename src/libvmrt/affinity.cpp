// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched_setaffinity for each entry of /proc/self/task.
#include "libvmrt/affinity.hpp"

#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <sched.h>

namespace vmall::runtime {
namespace {

// Returns the number of threads seen, -1 if one could not be bound.
int bind_once(const cpu_set_t &set) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == nullptr)
        return -1;
    int threads = 0;
    while (const dirent *entry = readdir(tasks)) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        ++threads;
        // A thread that has ended meanwhile needs no CPU.
        if (sched_setaffinity(std::atoi(entry->d_name), sizeof set, &set) != 0 && errno != ESRCH) {
            threads = -1;
            break;
        }
    }
    closedir(tasks);
    return threads;
}

} // namespace

bool bind_threads(const std::uint16_t *cpus, std::uint32_t count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (std::uint32_t i = 0; i < count; ++i)
        CPU_SET(cpus[i], &set);
    // A thread born during the first pass may have missed it; later ones inherit.
    const int threads = bind_once(set);
    return threads >= 0 && (threads == 1 || bind_once(set) >= 0);
}

} // namespace vmall::runtime
