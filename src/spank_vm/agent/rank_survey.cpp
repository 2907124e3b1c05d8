// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by who started whom. The environment of the processes would say more, but a program can make
// whoever reads it wait.
#include "spank_vm/agent/rank_survey.hpp"

#include "spank_vm/agent/awake_time.hpp"
#include "spank_vm/agent/processes.hpp"
#include "spank_vm/agent/rank_time.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace vmall::agent {

namespace {

using wire::RankReport;

bool begins_with(const std::string &text, const std::string &start) {
    return text.compare(0, start.size(), start) == 0;
}

// Programs whose children are ranks.
bool is_launcher(const std::string &name) {
    return name == "hydra_pmi_proxy" || name == "orted" || name == "prted" || name == "orterun" ||
           name == "prterun" || begins_with(name, "mpiexec") || begins_with(name, "mpirun");
}

// What launchers start to reach other nodes.
bool is_messenger(const std::string &name) {
    return name == "srun" || name == "ssh";
}

// A task of a step and everything below it.
struct Task {
    std::uint32_t least = 0;    // ranks, whoever is below it
    std::uint32_t launched = 0; // by an MPI launcher
    std::uint32_t attached = 0;
};

// By process number and start time.
using SlotsByProcess = std::map<std::pair<pid_t, std::uint32_t>, const RankSlot *>;

const RankSlot *slot_of(const Process &process, const SlotsByProcess &slots) {
    const auto found = slots.find({process.pid, static_cast<std::uint32_t>(process.start_time)});
    return found != slots.end() ? found->second : nullptr;
}

RankReport done_by(const Process &process, const RankSlot &slot) {
    const std::optional<std::uint64_t> awake = awake_ns(process.pid);
    const RankTime time = rank_time(slot, age_ns(process), awake);
    return {0, 0, time.useful_ns, time.waiting_ns, slot.switches, slot.messages, 0};
}

// A task's own ranks, by the number of the slurmstepd that started it.
std::map<pid_t, std::uint32_t> least_ranks(const std::vector<Step> &steps,
                                           const ProcessTable &processes) {
    std::map<pid_t, std::uint32_t> least;
    for (const Step &step : steps)
        if (processes.has(step.stepd)) // else its number may be another process's
            least[step.stepd.pid] = step.id == SLURM_BATCH_SCRIPT ? 0 : 1;
    return least;
}

std::vector<FamilyMember> members_of(const std::vector<Step> &steps,
                                     const ProcessTable &processes) {
    std::vector<Process> stepds;
    for (const Step &step : steps)
        stepds.push_back(step.stepd);
    return processes.family(stepds);
}

RankReport count(const std::vector<Step> &steps, const SlotsByProcess &slots,
                 const ProcessTable &processes) {
    const std::map<pid_t, std::uint32_t> stepds = least_ranks(steps, processes);
    RankReport report;
    std::map<pid_t, pid_t> task_of;
    std::map<pid_t, std::string> names;
    std::map<pid_t, Task> tasks; // by the process that slurmstepd started
    for (const FamilyMember &member : members_of(steps, processes)) {
        const pid_t pid = member.process.pid;
        const auto stepd = stepds.find(member.parent);
        const bool is_task = stepd != stepds.end();
        task_of[pid] = is_task ? pid : task_of[member.parent];
        names[pid] = member.name;
        Task &task = tasks[task_of[pid]];
        if (is_task)
            task.least = stepd->second;
        if (!is_task && is_launcher(names[member.parent]) && !is_launcher(member.name) &&
            !is_messenger(member.name))
            ++task.launched;
        if (const RankSlot *slot = slot_of(member.process, slots)) {
            ++task.attached;
            report += done_by(member.process, *slot);
        }
    }
    for (const auto &[pid, task] : tasks)
        report +=
            {std::max({task.least, task.launched, task.attached}), task.attached, 0, 0, 0, 0, 0};
    return report;
}

} // namespace

RankReport survey_ranks(const std::vector<Step> &steps, const RankPage &page,
                        const ProcessTable &processes) {
    SlotsByProcess by_process;
    for (const RankSlot &slot : page.slots)
        by_process.emplace(std::pair(slot.pid, slot.start_time), &slot);
    RankReport report = count(steps, by_process, processes);
    report.engines = page.engines;
    return report;
}

bool has_static_process(const std::vector<Step> &steps, const ProcessTable &processes) {
    const std::vector<FamilyMember> members = members_of(steps, processes);
    return std::any_of(members.begin(), members.end(),
                       [](const FamilyMember &member) { return is_static(member.process.pid); });
}

} // namespace vmall::agent
