// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's affinity masks.
#include "spank_vm/node/cpu_mask.hpp"

#include <cerrno>
#include <string>
#include <system_error>

namespace vmall::spank_vm {

namespace {

[[noreturn]] void fail(const char *action, pid_t thread) {
    throw std::system_error(errno, std::generic_category(),
                            std::string(action) + " of thread " + std::to_string(thread));
}

} // namespace

cpu_set_t mask_of(const std::vector<std::uint16_t> &cpus) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (const std::uint16_t cpu : cpus)
        CPU_SET(cpu, &mask);
    return mask;
}

bool is_inside(const cpu_set_t &mask, const cpu_set_t &allotment) {
    cpu_set_t common;
    CPU_AND(&common, &mask, &allotment);
    return CPU_EQUAL(&common, &mask);
}

std::optional<cpu_set_t> affinity(pid_t thread) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(thread, sizeof mask, &mask) == 0)
        return mask;
    if (errno != ESRCH)
        fail("cannot read the affinity", thread);
    return std::nullopt;
}

void set_affinity(pid_t thread, const cpu_set_t &mask) {
    if (sched_setaffinity(thread, sizeof mask, &mask) != 0 && errno != ESRCH)
        fail("cannot set the affinity", thread);
}

} // namespace vmall::spank_vm
