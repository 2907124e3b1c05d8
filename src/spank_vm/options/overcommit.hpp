// SPDX-License-Identifier: GPL-2.0-or-later
//
// Steps of a job that takes part without having asked.
#pragma once

namespace vmall::spank_vm {

// In srun, before it reads its environment: if its job takes part without having asked (TakePart)
// and is folded now, the step may have more tasks than the job has CPUs. Otherwise the job's steps
// wait for CPUs of their own, as those of other jobs do. Asks slurmctld.
void let_a_folded_jobs_step_overcommit();

} // namespace vmall::spank_vm
