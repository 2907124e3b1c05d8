// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's cgroups of a job on this node: cgroup v1 and v2, whichever are there.
#pragma once

#include "wire/installation.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

using wire::Confinement;

// What cpusets can be made of below `mount`: cgroup v1, v2, or missing.
Confinement cpusets_below(const std::string &mount);

// Whose cgroups they are.
struct JobOnNode {
    uid_t user = 0;
    std::uint32_t id = 0;
    // The groups of cgroup v2 that its slurmstepds are in (unified_group()): the job's own is
    // around them, and is not always called by the job's id.
    std::vector<std::string> stepd_groups = {};
};

// Threads may share it for different jobs.
class Cpusets {
  public:
    // `mount`: Slurm's CgroupMountpoint.
    Cpusets(std::string mount, std::string node_name);

    // Makes the job's cpusets, steps and tasks in it included, exactly `cpus`, in the order that
    // the kernel demands: a cpuset is never smaller than one inside it. Cpusets that are not in use
    // (empty) are left alone. What keeps the job on them: the version of its cpuset, or affinity if
    // it has none. Throws std::system_error.
    Confinement resize(const JobOnNode &job, const std::vector<std::uint16_t> &cpus) const;

    // Members of all cgroups of the job.
    std::vector<pid_t> processes(const JobOnNode &job) const;

  private:
    struct Group;
    std::vector<Group> groups_of(const JobOnNode &job) const;
    void widen_around(const std::filesystem::path &job,
                      const std::vector<std::uint32_t> &cpus) const;
    std::string mount_;
    std::string node_name_;
    std::shared_ptr<std::mutex> sharing_ = std::make_shared<std::mutex>();
};

} // namespace vmall::agent
