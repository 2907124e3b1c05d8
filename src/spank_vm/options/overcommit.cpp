// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scripts that have srun wait for free CPUs must go on as they do without us, so the job's
// environment does not say it once and for all, as it does of jobs that asked.
#include "spank_vm/options/overcommit.hpp"

#include "config/job_request.hpp"
#include "spank_vm/options/srun_questions.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <cstdint>
#include <cstdlib>
#include <string>

namespace vmall::spank_vm {

namespace {

constexpr const char *overcommit = "SLURM_OVERCOMMIT";

bool takes_part_by_default() {
    return getenv((std::string("SLURM_SPANK_") + config::env_takes_part).c_str()) != nullptr;
}

} // namespace

void let_a_folded_jobs_step_overcommit() {
    const char *job = getenv("SLURM_JOB_ID");
    if (spank_context() != S_CTX_LOCAL || !job || !takes_part_by_default() || getenv(overcommit))
        return;
    const auto id = static_cast<std::uint32_t>(std::strtoul(job, nullptr, 10));
    const vmall_srun_questions *ask = srun_questions();
    if (ask && ask->has_fewer_cpus_than_asked(id))
        setenv(overcommit, "1", 1);
}

} // namespace vmall::spank_vm
