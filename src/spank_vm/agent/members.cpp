// SPDX-License-Identifier: GPL-2.0-or-later
#include "spank_vm/agent/members.hpp"

#include <unordered_set>

namespace vmall::agent {

std::vector<Process> relatives_of(const JobState &job, const std::vector<Process> &orphans,
                                  const ProcessTable &processes) {
    std::vector<Process> ancestors = orphans;
    std::vector<Process> found = orphans;
    for (const Step &step : job.steps)
        ancestors.push_back(step.stepd);
    const std::vector<Process> below = processes.descendants(ancestors);
    found.insert(found.end(), below.begin(), below.end());
    return found;
}

Members members_of(const JobState &job, const std::vector<Process> &orphans,
                   const std::vector<Process> &grouped, const ProcessTable &processes) {
    std::vector<Process> stepds;
    for (const Step &step : job.steps)
        if (processes.has(step.stepd)) // else its number may be a member's
            stepds.push_back(step.stepd);
    Members members;
    members.all = processes.descendants(stepds);
    std::unordered_set<pid_t> left_alone;
    for (const std::vector<Process> &known : {members.all, stepds})
        for (const Process &process : known)
            left_alone.insert(process.pid);
    members.relatives = relatives_of(job, orphans, processes);
    for (const Process &process : members.relatives)
        if (left_alone.insert(process.pid).second) {
            members.all.push_back(process);
            members.has_orphans = true;
        }
    for (const Process &member : grouped)
        if (left_alone.insert(member.pid).second)
            members.all.push_back(member);
    return members;
}

} // namespace vmall::agent
