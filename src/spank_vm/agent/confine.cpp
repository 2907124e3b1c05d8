// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread inherits the affinity of the one that makes it, so whoever is missed by one enumeration
// because it was just being made is found by the next.
#include "spank_vm/agent/confine.hpp"

#include "spank_vm/agent/processes.hpp"
#include "spank_vm/node/cpu_mask.hpp"

#include <stdexcept>

namespace vmall::agent {

namespace {

constexpr int highest_pass_count = 50;

// Whether it had to be moved.
bool move_thread(pid_t thread, const cpu_set_t &allotment, Whom whom) {
    const auto mask = spank_vm::affinity(thread);
    if (!mask)
        return false;
    const bool in_place = whom == Whom::everybody ? CPU_EQUAL(&*mask, &allotment) != 0
                                                  : spank_vm::is_inside(*mask, allotment);
    if (in_place)
        return false;
    spank_vm::set_affinity(thread, allotment);
    return true;
}

bool move_all(const FindProcesses &find, const cpu_set_t &allotment, Whom whom) {
    bool moved = false;
    for (const pid_t process : find())
        for (const pid_t thread : threads(process))
            moved = move_thread(thread, allotment, whom) || moved;
    return moved;
}

} // namespace

bool confine(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom) {
    const cpu_set_t allotment = spank_vm::mask_of(cpus);
    for (int pass = 0; pass < highest_pass_count; ++pass)
        if (!move_all(find, allotment, pass == 0 ? whom : Whom::outsiders))
            return pass > 0;
    throw std::runtime_error("threads of the job keep leaving its allotment");
}

void move(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom) {
    move_all(find, spank_vm::mask_of(cpus), whom);
}

} // namespace vmall::agent
