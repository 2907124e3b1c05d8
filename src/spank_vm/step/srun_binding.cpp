// SPDX-License-Identifier: GPL-2.0-or-later
//
// As late as SPANK allows: a fold that comes still later is not seen.
#include "spank_vm/step/srun_binding.hpp"

#include "spank_vm/options/options.hpp"
#include "spank_vm/options/srun_questions.hpp"
#include "spank_vm/step/environment.hpp"

#include <cstdint>

namespace vmall::spank_vm {

void give_up_binding_of_a_folded_job(spank_t spank) {
    const vmall_srun_questions *ask = srun_questions();
    if (!ask || !ask->binds_by_number() || !is_of_a_malleable_job())
        return;
    const auto job = item<std::uint32_t>(spank, S_JOB_ID, "the job");
    if (!ask->has_fewer_cpus_than_asked(job))
        return;
    ask->do_not_bind_by_number();
    slurm_info(
        "virtual malleability: the job is folded, so its tasks are not bound to the CPUs that "
        "--cpu-bind names");
}

} // namespace vmall::spank_vm
