// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl is told of this node's jobs by an agent that deals its cores itself (mode=node): as
// the dealer saw them last.
#pragma once

#include "policy/model.hpp"
#include "spank_vm/agent/resident.hpp"
#include "spank_vm/agent/settings.hpp"
#include "wire/query.hpp"
#include "wire/useful_share.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

class JobList {
  public:
    struct Seen {
        Resident resident;
        wire::UsefulShare useful;
        std::optional<wire::RankReport> ranks;
        std::uint32_t wish = 1; // MPL, of jobs on several nodes
        std::string fixed;      // Deal::fixed
    };
    using Lost = std::map<std::uint32_t, policy::Seconds>; // by job

    explicit JobList(const Settings &settings);

    // All jobs here, by ascending number.
    void show(const std::vector<Seen> &seen);
    // Of Ask::jobs, those that asked to share; of Ask::left_out, the others. With PrivateData=jobs
    // nobody but root and SlurmUser is told of jobs of others: who is an operator, or coordinates
    // an account, only slurmctld knows. Throws std::exception. From any thread.
    std::string answer(const wire::Query &query, uid_t asker, const Lost &lost) const;

  private:
    const std::string node_;
    const std::string slurm_conf_;
    const uid_t slurm_user_;
    mutable std::mutex mutex_; // for all below
    std::vector<wire::JobRow> jobs_;
    std::vector<wire::LeftOutRow> left_out_;
    std::map<std::uint32_t, uid_t> owners_;
};

} // namespace vmall::agent
