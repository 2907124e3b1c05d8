// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread inherits the affinity of the one that makes it, so whoever is missed by one enumeration
// because it was just being made is found by the next.
#include "spank_vm/agent/confine.hpp"

#include "spank_vm/node/cpu_mask.hpp"

#include <chrono>
#include <stdexcept>

namespace vmall::agent {

namespace {

constexpr int highest_pass_count = 50;
constexpr std::chrono::seconds longest(1);
constexpr int least_pass_count = 10; // however slow the machine is

// Whether it had to be moved. The kernel takes only a number, which may be a stranger's by then.
bool move_thread(const Process &process, pid_t thread, const cpu_set_t &allotment, Whom whom) {
    const auto mask = spank_vm::affinity(thread);
    if (!mask)
        return false;
    const bool in_place = whom == Whom::everybody ? CPU_EQUAL(&*mask, &allotment) != 0
                                                  : spank_vm::is_inside(*mask, allotment);
    if (in_place)
        return false;
    const auto before = find_thread(process, thread);
    if (!before)
        return false;
    spank_vm::set_affinity(thread, allotment);
    if (find_thread(process, thread) != before)
        put_back_stranger(thread, allotment);
    return true;
}

bool move_all(const FindProcesses &find, const cpu_set_t &allotment, Whom whom) {
    bool moved = false;
    for (const Process &process : find())
        for (const pid_t thread : threads(process.pid))
            moved = move_thread(process, thread, allotment, whom) || moved;
    return moved;
}

} // namespace

bool confine(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom) {
    const cpu_set_t allotment = spank_vm::mask_of(cpus);
    const auto end = std::chrono::steady_clock::now() + longest;
    for (int pass = 0; pass < highest_pass_count; ++pass) {
        if (pass >= least_pass_count && std::chrono::steady_clock::now() > end)
            break;
        if (!move_all(find, allotment, pass == 0 ? whom : Whom::outsiders))
            return pass > 0;
    }
    throw std::runtime_error("threads of the job keep leaving its allotment");
}

void put_back_stranger(pid_t thread, const cpu_set_t &allotment) {
    const auto mask = spank_vm::affinity(thread);
    const auto model = model_of(thread);
    const auto usual = model ? spank_vm::affinity(*model) : std::nullopt;
    if (mask && usual && CPU_EQUAL(&*mask, &allotment))
        spank_vm::set_affinity(thread, *usual);
}

void move(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom) {
    move_all(find, spank_vm::mask_of(cpus), whom);
}

} // namespace vmall::agent
