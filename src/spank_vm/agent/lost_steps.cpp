// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmd makes a session for each slurmstepd. Its tasks are in it, and it lasts as long as one of
// them.
#include "spank_vm/agent/lost_steps.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace vmall::agent {

namespace {

bool has_slot(const Process &process, const std::vector<RankSlot> &slots) {
    return std::any_of(
        slots.begin(), slots.end(),
        [&](const RankSlot &slot) {
            return slot.pid == process.pid &&
                   slot.start_time == static_cast<std::uint32_t>(process.start_time);
        });
}

bool is_slurmstepd(const FamilyMember &process) {
    return process.name == "slurmstepd" && real_user(process.process.pid) == uid_t{0};
}

bool is_known(const StepSocket &socket, const std::vector<Step> &known) {
    return std::any_of(
        known.begin(), known.end(), [&](const Step &step) { return step.id == socket.step; });
}

} // namespace

bool has_socket(const Step &step, const std::vector<StepSocket> &sockets) {
    return std::any_of(
        sockets.begin(), sockets.end(),
        [&](const StepSocket &socket) { return socket.step == step.id; });
}

// Who listens in the place of a step whose slurmstepd is gone is another one with its number.
bool has_unknown_step(const std::vector<StepSocket> &sockets, const std::vector<Step> &known) {
    return std::any_of(
        sockets.begin(), sockets.end(),
        [&](const StepSocket &socket) {
            const bool is_of_known = std::any_of(
                known.begin(), known.end(),
                [&](const Step &step) { return step.id == socket.step && is_alive(step.stepd); });
            return !is_of_known && is_listening(socket);
        });
}

bool has_lost_step(const std::vector<StepSocket> &sockets, const std::vector<Step> &known) {
    return std::any_of(
        sockets.begin(), sockets.end(),
        [&](const StepSocket &socket) {
            return !is_known(socket, known) && !is_listening(socket);
        });
}

std::vector<Process> find_orphans(const JobState &job, const std::vector<Process> &seen,
                                  const std::vector<RankSlot> &slots,
                                  const ProcessTable &processes) {
    std::unordered_set<pid_t> sessions;
    for (const Step &step : job.steps)
        if (step.session > 0 && !processes.has(step.stepd))
            sessions.insert(step.session);
    std::vector<Process> orphans;
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(orphans),
                 [&](const Process &process) { return processes.has(process); });
    for (const FamilyMember &process : processes.everybody()) {
        const bool is_left =
            sessions.count(process.session) > 0 && !processes.has_number(process.session);
        if ((is_left || has_slot(process.process, slots)) &&
            real_user(process.process.pid) == job.user)
            orphans.push_back(process.process);
    }
    return orphans;
}

bool may_miss_orphans(uid_t user, std::uint64_t since, const std::vector<Process> &members,
                      const ProcessTable &processes) {
    if (user == 0)
        return false;
    std::vector<Process> known = members;
    const std::vector<FamilyMember> everybody = processes.everybody();
    for (const FamilyMember &process : everybody)
        if (is_slurmstepd(process))
            known.push_back(process.process);
    const std::vector<Process> below = processes.descendants(known);
    std::unordered_set<pid_t> numbers;
    for (const std::vector<Process> &some : {known, below})
        for (const Process &process : some)
            numbers.insert(process.pid);
    return std::any_of(everybody.begin(), everybody.end(), [&](const FamilyMember &process) {
        return process.process.start_time >= since && numbers.count(process.process.pid) == 0 &&
               real_user(process.process.pid) == user;
    });
}

} // namespace vmall::agent
