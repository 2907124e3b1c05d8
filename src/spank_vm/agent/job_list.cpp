// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows of one node; vmctl puts those of all nodes together.
#include "spank_vm/agent/job_list.hpp"

#include "config/number.hpp"
#include "spank_vm/node/slurm_conf.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unistd.h>

namespace vmall::agent {

namespace {

const std::vector<std::uint32_t> &given_to(const Resident &resident) {
    return resident.state.given.empty() ? resident.state.allotment.cores : resident.state.given;
}

bool have_cores_in_common(const std::vector<std::uint32_t> &one,
                          const std::vector<std::uint32_t> &other) {
    std::vector<std::uint32_t> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                          std::back_inserter(both));
    return !both.empty();
}

std::vector<std::uint32_t> company_of(const Resident &resident,
                                      const std::vector<JobList::Seen> &all) {
    std::vector<std::uint32_t> company;
    for (const JobList::Seen &other : all)
        if (other.resident.job_id != resident.job_id && company.size() < wire::highest_company &&
            have_cores_in_common(given_to(resident), given_to(other.resident)))
            company.push_back(other.resident.job_id);
    return company;
}

std::optional<int> useful_of_now(const JobList::Seen &seen) {
    const std::size_t cores = seen.resident.state.allotment.cores.size();
    for (const wire::Speedup &one : seen.useful.speedups())
        if (static_cast<std::size_t>(one.processors) == cores)
            return std::clamp(static_cast<int>(std::lround(100 * one.speedup / one.processors)), 1,
                              100);
    return std::nullopt;
}

// The agent is not told how many processes the job is to have: as many as there is room for.
wire::JobRow row_of(const JobList::Seen &seen, const std::string &node) {
    const Resident &resident = seen.resident;
    const Allotment &allotment = resident.state.allotment;
    wire::JobRow row;
    row.job_id = resident.job_id;
    row.user_id = resident.state.user;
    row.full_cores = static_cast<std::uint32_t>(given_to(resident).size());
    row.processes = std::max(row.full_cores / static_cast<std::uint32_t>(resident.cores_per_rank),
                             std::uint32_t{1});
    row.mpl = allotment.mpl;
    row.generation_wanted = row.generation_applied = allotment.generation;
    row.ranks = seen.ranks;
    row.useful_percent = seen.useful.unfolded_percent();
    row.useful_last_percent = seen.useful.last_unfolded_percent();
    wire::Deal deal{{}, seen.wish, useful_of_now(seen), seen.fixed};
    row.nodes = {{node, static_cast<std::uint32_t>(allotment.cores.size()), std::move(deal)}};
    return row;
}

// Whoever cannot read it does not know.
bool is_private_by(const std::string &slurm_conf) {
    if (access(slurm_conf.c_str(), R_OK) != 0)
        return true;
    const std::string data =
        config::lower_case(spank_vm::SlurmConf::read(slurm_conf).value("privatedata", ""));
    return data.find("jobs") != std::string::npos || data.find("all") != std::string::npos;
}

} // namespace

JobList::JobList(const Settings &settings)
    : node_(settings.node_name), slurm_conf_(settings.slurm_conf),
      slurm_user_(settings.slurm_user) {}

void JobList::show(const std::vector<Seen> &seen) {
    std::vector<wire::JobRow> jobs;
    std::vector<wire::LeftOutRow> left_out;
    std::map<std::uint32_t, uid_t> owners;
    for (const Seen &one : seen) {
        const Resident &resident = one.resident;
        owners[resident.job_id] = resident.state.user;
        if (!resident.state.takes_part) {
            left_out.push_back({resident.job_id, resident.state.user,
                                "did not ask to share its cores, and has all that Slurm gave it"});
            continue;
        }
        jobs.push_back(row_of(one, node_));
        jobs.back().nodes.front().deal->with = company_of(resident, seen);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_ = std::move(jobs);
    left_out_ = std::move(left_out);
    owners_ = std::move(owners);
}

std::string JobList::answer(const wire::Query &query, uid_t asker, const Lost &lost) const {
    const bool sees_everybody = asker == 0 || asker == slurm_user_ || !is_private_by(slurm_conf_);
    const auto may_see = [&](uid_t owner) { return sees_everybody || owner == asker; };
    const std::lock_guard<std::mutex> lock(mutex_);
    if (query.ask == wire::Ask::left_out) {
        std::vector<wire::LeftOutRow> left_out;
        std::copy_if(left_out_.begin(), left_out_.end(), std::back_inserter(left_out),
                     [&](const wire::LeftOutRow &row) { return may_see(row.user_id); });
        return wire::encode_page(left_out, query.from);
    }
    std::vector<wire::JobRow> jobs;
    for (wire::JobRow row : jobs_) {
        if (!may_see(row.user_id))
            continue;
        std::vector<std::uint32_t> &with = row.nodes.front().deal->with;
        with.erase(std::remove_if(with.begin(), with.end(),
                                  [&](std::uint32_t job) { return !may_see(owners_.at(job)); }),
                   with.end());
        if (const auto found = lost.find(row.job_id); found != lost.end())
            row.lost_seconds = static_cast<std::uint64_t>(found->second);
        jobs.push_back(std::move(row));
    }
    return wire::encode_page(jobs, query.from);
}

} // namespace vmall::agent
