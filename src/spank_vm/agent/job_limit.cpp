// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line of squeue's for each job.
#include "spank_vm/agent/job_limit.hpp"

#include "config/job_request.hpp"
#include "spank_vm/agent/slurm_command.hpp"
#include "spank_vm/node/slurm_conf.hpp"

#include <slurm/slurm_errno.h>

#include <sstream>
#include <stdexcept>

namespace vmall::agent {

namespace {

// Without a limit it is UNLIMITED, NOT_SET or INVALID.
std::optional<int> minutes_of(const std::string &limit) {
    try {
        return static_cast<int>(config::parse_time(limit) / 60);
    } catch (const config::RequestError &) {
        return std::nullopt;
    }
}

} // namespace

std::vector<std::string> ask_for_limit(std::uint32_t job_id) {
    return {"-h", "-a", "--local", "-j", std::to_string(job_id), "-o", "%A %i %l %N"};
}

std::optional<JobLimit> limit_by(const std::string &answer, std::uint32_t job_id) {
    std::istringstream words(told_of(answer, job_id).value_or(""));
    std::string limit, nodes;
    JobLimit job;
    if (words >> job.name >> limit >> nodes) {
        job.minutes = minutes_of(limit);
        job.first_node = spank_vm::nth_host(nodes, 0);
        return job;
    }
    if (answer.empty() || answer.find(slurm_strerror(ESLURM_INVALID_JOB_ID)) != std::string::npos)
        return std::nullopt;
    throw std::runtime_error("squeue does not tell it: " + answer.substr(0, answer.find('\n')));
}

} // namespace vmall::agent
