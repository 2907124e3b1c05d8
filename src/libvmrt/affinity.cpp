// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched_setaffinity for each entry of /proc/self/task.
#include "libvmrt/affinity.hpp"

#include "libvmrt/threads.hpp"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

bool has_affinity(pid_t thread, const cpu_set_t &cpus, Narrower narrower) {
    cpu_set_t now;
    if (sched_getaffinity(thread, sizeof now, &now) != 0)
        return false;
    return narrower == Narrower::stays ? is_inside(now, cpus) : CPU_EQUAL(&now, &cpus) != 0;
}

enum class Pass { nothing_to_do, bound_some, refused };

Pass bind_thread(pid_t thread, const cpu_set_t &cpus, Narrower narrower) {
    if (has_affinity(thread, cpus, narrower))
        return Pass::nothing_to_do;
    if (sched_setaffinity(thread, sizeof cpus, &cpus) == 0)
        return Pass::bound_some;
    // A thread that has ended meanwhile needs no CPU.
    return errno == ESRCH ? Pass::nothing_to_do : Pass::refused;
}

Pass bind_once(Threads &threads, const cpu_set_t &cpus, Narrower narrower, pid_t spared) {
    const auto self = static_cast<pid_t>(syscall(SYS_gettid));
    Pass pass = Pass::nothing_to_do;
    while (const pid_t thread = threads.next()) {
        const bool exempt = thread == self || thread == spared;
        const Pass one = exempt ? Pass::nothing_to_do : bind_thread(thread, cpus, narrower);
        if (one == Pass::refused)
            return one;
        if (one == Pass::bound_some)
            pass = one;
    }
    return pass;
}

} // namespace

cpu_set_t set_of(const std::uint16_t *cpus, std::uint32_t count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (std::uint32_t i = 0; i < count; ++i)
        CPU_SET(cpus[i], &set);
    return set;
}

bool is_inside(const cpu_set_t &inner, const cpu_set_t &outer) {
    cpu_set_t common;
    CPU_AND(&common, &inner, &outer);
    return CPU_EQUAL(&common, &inner) != 0;
}

cpu_set_t own_affinity() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_ZERO(&set);
    return set;
}

bool bind_this_thread(const cpu_set_t &cpus) {
    return sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}

bool bind_other_threads(const cpu_set_t &cpus, Narrower narrower, pid_t spared) {
    Threads threads("/proc/self/task");
    if (!threads.readable())
        return false;
    constexpr int passes = 3; // threads are born bound like their parents: two do nearly always
    Pass pass = Pass::bound_some;
    for (int i = 0; i < passes && pass == Pass::bound_some; ++i) {
        threads.start_again();
        pass = bind_once(threads, cpus, narrower, spared);
    }
    return pass != Pass::refused;
}

} // namespace vmall::runtime
