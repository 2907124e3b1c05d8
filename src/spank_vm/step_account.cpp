// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent keeps it on disk, a few seconds old.
#include "spank_vm/step_account.hpp"

#include "common/files.hpp"
#include "spank_vm/agent/time_lost.hpp"
#include "spank_vm/node/step_settings.hpp"

#include <slurm/slurm.h>

#include <string>
#include <unistd.h>

namespace vmall::spank_vm {

void tell_account(spank_t spank) {
    std::uint32_t job_id = 0, step_id = 0;
    if (spank_get_item(spank, S_JOB_ID, &job_id) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_STEPID, &step_id) != ESPANK_SUCCESS ||
        step_id != SLURM_BATCH_SCRIPT)
        return;
    const auto settings = load_step_settings();
    if (!settings || !settings->wants_bystanders)
        return;
    const auto saved = common::read_file(agent::file_of_time_lost(settings->runtime_dir, job_id),
                                         agent::highest_time_lost_bytes);
    const std::string words =
        saved ? in_words(agent::TimeLost::decode(*saved), settings->node_name) : "";
    if (words.empty())
        return;
    const std::string line = "slurm-vmall: " + words + ".\n";
    (void)!write(STDERR_FILENO, line.data(), line.size());
}

} // namespace vmall::spank_vm
