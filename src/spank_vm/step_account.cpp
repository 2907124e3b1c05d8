// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent keeps it on disk, a few seconds old.
#include "spank_vm/step_account.hpp"

#include "common/files.hpp"
#include "spank_vm/agent/admin_comment.hpp"
#include "spank_vm/agent/time_lost.hpp"
#include "spank_vm/node/step_settings.hpp"

#include <slurm/slurm.h>

#include <chrono>
#include <exception>
#include <string>
#include <unistd.h>
#include <utility>

namespace vmall::spank_vm {

namespace {

constexpr std::chrono::seconds patience(5); // of one command, which the end of the job waits for

void note(std::uint32_t job_id, const std::string &text) {
    const agent::Stopping never;
    try {
        agent::note_in_admin_comment(
            job_id, text,
            [&](const std::string &command, std::vector<std::string> arguments) {
                return agent::run_slurm(command, std::move(arguments), patience, never);
            });
    } catch (const std::exception &error) {
        slurm_info("job %u: what it had is not in its AdminComment: %s", job_id, error.what());
    }
}

} // namespace

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
    if (settings->notes_end)
        note(job_id, "vmall: " + words);
}

} // namespace vmall::spank_vm
