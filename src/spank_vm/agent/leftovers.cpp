// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks slurmctld only about jobs that have no step here.
#include "spank_vm/agent/leftovers.hpp"

#include "slurmglue/load_job.h"

extern "C" {
#include <slurm/spank.h>
}
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::chrono::minutes interval(2);

struct FreeJobs {
    void operator()(job_info_msg_t *jobs) const { slurm_free_job_info_msg(jobs); }
};

bool is_over(const slurm_job_info_t &job) {
    return (job.job_state & JOB_STATE_BASE) > JOB_SUSPENDED &&
           (job.job_state & JOB_COMPLETING) == 0;
}

} // namespace

bool has_ended(std::uint32_t job_id) {
    job_info_msg_t *answer = nullptr;
    if (vmall_load_job(&answer, job_id, SHOW_ALL | SHOW_LOCAL) != SLURM_SUCCESS)
        return errno == ESLURM_INVALID_JOB_ID;
    const std::unique_ptr<job_info_msg_t, FreeJobs> jobs(answer);
    // Tasks of an array come with it.
    return std::none_of(
        jobs->job_array, jobs->job_array + jobs->record_count,
        [&](const slurm_job_info_t &job) { return job.job_id == job_id && !is_over(job); });
}

Leftovers::Leftovers(Jobs &jobs, HasEnded has_ended)
    : jobs_(jobs), has_ended_(std::move(has_ended)), thread_([this] { run(); }) {}

Leftovers::~Leftovers() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
    }
    stopping_.notify_all();
    thread_.join();
}

void Leftovers::run() noexcept {
    for (;;) {
        try {
            look();
        } catch (const std::exception &error) {
            slurm_error("the node agent cannot look for jobs that have ended: %s", error.what());
        }
        std::unique_lock<std::mutex> lock(mutex_);
        if (stopping_.wait_for(lock, interval, [this] { return stopped_; }))
            return;
    }
}

void Leftovers::look() {
    for (const std::uint32_t job_id : jobs_.without_steps())
        if (!is_stopped() && has_ended_(job_id))
            jobs_.forget_without_steps(job_id);
}

bool Leftovers::is_stopped() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stopped_;
}

} // namespace vmall::agent
