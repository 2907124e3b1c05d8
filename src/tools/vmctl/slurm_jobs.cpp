// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of jobs that run, to whoever may see them.
#include "tools/vmctl/slurm_jobs.hpp"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <slurm/slurm_errno.h>
#include <stdexcept>

namespace vmall::vmctl {

namespace {

void add_hosts(std::set<std::string> &hosts, const char *list) {
    auto *const parsed = slurm_hostlist_create(list);
    while (char *host = parsed ? slurm_hostlist_shift(parsed) : nullptr) {
        hosts.insert(host);
        std::free(host);
    }
    slurm_hostlist_destroy(parsed);
}

} // namespace

SlurmJobs jobs_in(const job_info_msg_t &records) {
    SlurmJobs running;
    for (std::uint32_t i = 0; i < records.record_count; ++i) {
        const job_info_t &job = records.job_array[i];
        const auto state = job.job_state & JOB_STATE_BASE;
        if (state != JOB_RUNNING && state != JOB_SUSPENDED)
            continue;
        running.jobs[job.job_id] = {job.name ? job.name : "",
                                    job.num_tasks == NO_VAL ? 0 : job.num_tasks,
                                    state == JOB_SUSPENDED};
        if (job.nodes)
            add_hosts(running.nodes, job.nodes);
    }
    return running;
}

SlurmJobs load_slurm_jobs() {
    job_info_msg_t *records = nullptr;
    if (slurm_load_jobs(0, &records, SHOW_ALL) != SLURM_SUCCESS)
        throw std::runtime_error(std::string("slurmctld names no jobs: ") + slurm_strerror(errno));
    const std::unique_ptr<job_info_msg_t, decltype(&slurm_free_job_info_msg)> owned(
        records, slurm_free_job_info_msg);
    return jobs_in(*records);
}

} // namespace vmall::vmctl
