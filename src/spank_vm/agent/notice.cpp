// SPDX-License-Identifier: GPL-2.0-or-later
//
// A signal by process descriptor: a process number may be another's by the time it is used.
#include "spank_vm/agent/notice.hpp"

#include "common/descriptor.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::agent {

namespace {

void send(const Process &process, int signal) {
    const common::Descriptor descriptor(static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0)));
    if (descriptor && is_alive(process))
        syscall(SYS_pidfd_send_signal, descriptor.get(), signal, nullptr, 0);
}

} // namespace

void signal_tasks(const ProcessTable &processes, const std::vector<Step> &steps, int signal) {
    std::vector<Process> stepds;
    for (const Step &step : steps)
        if (step.id != SLURM_BATCH_SCRIPT && step.id != SLURM_INTERACTIVE_STEP)
            stepds.push_back(step.stepd);
    for (const FamilyMember &member : processes.family(stepds))
        if (std::any_of(stepds.begin(), stepds.end(),
                        [&](const Process &stepd) { return stepd.pid == member.parent; }))
            send(member.process, signal);
}

} // namespace vmall::agent
