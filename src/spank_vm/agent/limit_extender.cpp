// SPDX-License-Identifier: GPL-2.0-or-later
//
// Minutes are asked for a little ahead: a job at its end may not have to wait for the next look.
#include "spank_vm/agent/limit_extender.hpp"

#include "common/files.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <exception>
#include <utility>

namespace vmall::agent {

namespace {

constexpr policy::Seconds ahead = 60;
constexpr policy::Seconds after_refusal = 60;

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

} // namespace

LimitExtender::LimitExtender(std::string runtime_dir, std::string node_name, policy::Seconds most,
                             RunSlurm run)
    : runtime_dir_(std::move(runtime_dir)), node_name_(std::move(node_name)), most_(most),
      run_(std::move(run)) {}

void LimitExtender::look(const std::vector<Resident> &residents, policy::Seconds now) {
    std::map<std::uint32_t, Kept> here;
    for (const Resident &resident : residents) {
        if (!resident.state.takes_part)
            continue;
        const auto known = kept_.find(resident.job_id);
        here[resident.job_id] = known == kept_.end() ? recalled(resident.job_id) : known->second;
    }
    kept_ = std::move(here);
    for (const Resident &resident : residents) {
        const auto kept = kept_.find(resident.job_id);
        if (kept == kept_.end())
            continue;
        try {
            look_at(resident, kept->second, now);
        } catch (const CutOff &error) { // the others would wait as long
            slurm_info("job %u: its time limit is looked at again later: %s", resident.job_id,
                       error.what());
            return;
        } catch (const std::exception &error) {
            slurm_error("job %u: its time limit may be too short for what it loses by sharing: %s",
                        resident.job_id, error.what());
        }
    }
}

std::map<std::uint32_t, policy::Seconds> LimitExtender::lost() const {
    std::map<std::uint32_t, policy::Seconds> lost;
    for (const auto &[job_id, kept] : kept_)
        lost[job_id] = kept.time.lost();
    return lost;
}

void LimitExtender::look_at(const Resident &resident, Kept &kept, policy::Seconds now) {
    const JobState &state = resident.state;
    const std::size_t cores = state.allotment.cores.size();
    kept.time.pass(now, static_cast<int>(state.allotment.mpl),
                   {static_cast<int>(cores),
                    static_cast<int>(state.given.empty() ? cores : state.given.size())});
    if (kept.time.lost() > 0)
        save(resident.job_id, kept);
    const bool gets_no_more = kept.time.is_bounded(ahead, most_) && !kept.was_told;
    const bool is_due = kept.time.is_asking() || kept.time.due(ahead, most_) > 0 || gets_no_more;
    if (is_due && !kept.is_left_alone && now >= kept.not_before)
        see_to(resident.job_id, kept, now);
}

void LimitExtender::see_to(std::uint32_t job_id, Kept &kept, policy::Seconds now) {
    const auto limit = limit_by(run_("squeue", ask_for_limit(job_id)).text, job_id);
    if (!limit)
        return;
    kept.is_left_alone = !limit->minutes || limit->first_node != node_name_;
    if (kept.is_left_alone)
        return;
    kept.time.reconcile(*limit->minutes);
    const int minutes = kept.time.due(ahead, most_);
    if (minutes > 0)
        extend(job_id, *limit, minutes, kept, now);
    else if (kept.time.is_bounded(ahead, most_))
        tell(job_id, *limit, kept, "LimitExtension of this site allows no more");
}

void LimitExtender::extend(std::uint32_t job_id, const JobLimit &limit, int minutes, Kept &kept,
                           policy::Seconds now) {
    kept.time.ask(*limit.minutes, minutes);
    save(job_id, kept);
    const Said said = run_("scontrol", {"update", "JobId=" + limit.name,
                                        "TimeLimit=" + std::to_string(*limit.minutes + minutes)});
    if (said.status != 0) {
        kept.not_before = now + after_refusal;
        tell(job_id, limit, kept, first_line(said.text));
        return;
    }
    kept.time.granted();
    save(job_id, kept);
    slurm_info("job %u: has %d minutes more, %d in all, for %lld s that it has lost by sharing and "
               "what it loses in the next minute",
               job_id, minutes, kept.time.extended(), static_cast<long long>(kept.time.lost()));
}

// Into what the job writes its errors to: only who reads that can still save its work.
void LimitExtender::tell(std::uint32_t job_id, const JobLimit &limit, Kept &kept,
                         const std::string &why) {
    if (kept.was_told)
        return;
    slurm_info("job %u: its time limit is not extended any more: %s", job_id, why.c_str());
    run_("scontrol",
         {"notify", limit.name,
          "slurm-vmall: this job shares its cores, and has lost " +
              std::to_string(kept.time.lost()) + " s by that. Its time limit got " +
              std::to_string(kept.time.extended()) + " minutes more, and gets no more: " + why});
    kept.was_told = true;
}

std::string LimitExtender::file_of(std::uint32_t job_id) const {
    return file_of_time_lost(runtime_dir_, job_id);
}

LimitExtender::Kept LimitExtender::recalled(std::uint32_t job_id) const {
    Kept kept;
    try {
        if (const auto saved = common::read_file(file_of(job_id), highest_time_lost_bytes))
            kept.time = TimeLost::decode(*saved);
    } catch (const std::exception &error) {
        slurm_error("job %u: what it has lost by sharing is not known any more: %s", job_id,
                    error.what());
    }
    return kept;
}

void LimitExtender::save(std::uint32_t job_id, const Kept &kept) const {
    common::replace_file(file_of(job_id), kept.time.encode(), 0600,
                         common::Survives::crash_of_ours);
}

} // namespace vmall::agent
