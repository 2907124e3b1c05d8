// SPDX-License-Identifier: GPL-2.0-or-later
//
// What only a file that was built for this very release can ask in srun.
#pragma once

#include "slurmglue/srun_questions.h"

namespace vmall::spank_vm {

// Of the vmall_srun.so beside this plugin. Null: it is not there, or for another release. Then no
// job is folded in slurmctld either, as that takes plugins of its release.
const vmall_srun_questions *srun_questions() noexcept;

} // namespace vmall::spank_vm
