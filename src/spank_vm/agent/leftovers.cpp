// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks slurmctld only about jobs that have no step here.
#include "spank_vm/agent/leftovers.hpp"

#include "spank_vm/agent/slurm_command.hpp"

extern "C" {
#include <slurm/spank.h>
}
#include <slurm/slurm_errno.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::chrono::minutes interval(2);

constexpr std::chrono::seconds patience(60);

bool is_over(const std::string &state) {
    static constexpr const char *ends[] = {"COMPLETED", "CANCELLED",    "FAILED",   "TIMEOUT",
                                           "NODE_FAIL", "PREEMPTED",    "DEADLINE", "BOOT_FAIL",
                                           "REVOKED",   "OUT_OF_MEMORY"};
    return std::any_of(std::begin(ends), std::end(ends),
                       [&](const char *end) { return state == end; });
}

} // namespace

bool has_ended_by(const std::string &answer, std::uint32_t job_id) {
    if (answer.find(slurm_strerror(ESLURM_INVALID_JOB_ID)) != std::string::npos)
        return true;
    const auto state = told_of(answer, job_id);
    return state && is_over(*state);
}

bool has_ended(std::uint32_t job_id, const Stopping &stopping) {
    return has_ended_by(
        run_slurm("squeue",
                  {"-h", "-a", "--local", "-t", "all", "-o", "%A %T", "-j", std::to_string(job_id)},
                  patience, stopping)
            .text,
        job_id);
}

Leftovers::Leftovers(Jobs &jobs, HasEnded has_ended)
    : jobs_(jobs), has_ended_(std::move(has_ended)), thread_([this] { run(); }) {}

Leftovers::~Leftovers() {
    stopping_.begin();
    thread_.join();
}

void Leftovers::run() noexcept {
    do {
        try {
            look();
        } catch (const std::exception &error) {
            if (!stopping_.has_begun())
                slurm_error("the node agent cannot look for jobs that have ended: %s",
                            error.what());
        }
    } while (!stopping_.wait_for(interval));
}

void Leftovers::look() {
    for (const std::uint32_t job_id : jobs_.without_steps())
        if (!stopping_.has_begun() && has_ended_(job_id, stopping_))
            jobs_.forget_without_steps(job_id);
}

} // namespace vmall::agent
