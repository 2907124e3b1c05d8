// SPDX-License-Identifier: GPL-2.0-or-later
//
// Time limits count work where no controller sees to it (mode=node): what a job loses by sharing is
// counted here, and slurmctld is asked to add it to the job's limit, as an operator would; on the
// job's first node only, where it has several.
//
// What is asked for is a limit, not minutes more, and is on disk before: asked again after a
// command that was cut off, or by the next agent, it gives nothing twice.
#pragma once

#include "spank_vm/agent/job_limit.hpp"
#include "spank_vm/agent/resident.hpp"
#include "spank_vm/agent/slurm_command.hpp"
#include "spank_vm/agent/time_lost.hpp"

#include <map>
#include <string>
#include <vector>

namespace vmall::agent {

class LimitExtender {
  public:
    // `most`: what a job's limit may be extended by, in seconds.
    LimitExtender(std::string runtime_dir, std::string node_name, policy::Seconds most,
                  RunSlurm run);

    // How it is on this node at that time by the clock on the wall. Whoever slurmctld has no time
    // for is seen to the next time. Logs what fails.
    void look(const std::vector<Resident> &residents, policy::Seconds now);
    // What each has lost by sharing, as of the last look.
    std::map<std::uint32_t, policy::Seconds> lost() const;

  private:
    struct Kept {
        TimeLost time;
        bool is_left_alone = false;     // no limit, or another node's to extend
        bool was_told = false;          // that it gets no more
        policy::Seconds not_before = 0; // slurmctld has refused
    };

    void look_at(const Resident &resident, Kept &kept, policy::Seconds now);
    void see_to(std::uint32_t job_id, Kept &kept, policy::Seconds now);
    void extend(std::uint32_t job_id, const JobLimit &limit, int minutes, Kept &kept,
                policy::Seconds now);
    void tell(std::uint32_t job_id, const JobLimit &limit, Kept &kept, const std::string &why);
    Kept recalled(std::uint32_t job_id) const;
    void save(std::uint32_t job_id, const Kept &kept) const;
    std::string file_of(std::uint32_t job_id) const;

    const std::string runtime_dir_;
    const std::string node_name_;
    const policy::Seconds most_;
    const RunSlurm run_;
    std::map<std::uint32_t, Kept> kept_;
};

} // namespace vmall::agent
