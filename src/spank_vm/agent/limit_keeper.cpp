// SPDX-License-Identifier: GPL-2.0-or-later
//
// Minutes are asked for a little ahead: a job at its end may not have to wait for the next look.
#include "spank_vm/agent/limit_keeper.hpp"

#include "common/files.hpp"
#include "spank_vm/agent/slurm_command.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <chrono>
#include <ctime>
#include <exception>
#include <utility>

namespace vmall::agent {

namespace {

constexpr std::chrono::seconds interval(10);
constexpr policy::Seconds ahead = 60;
constexpr std::chrono::seconds patience(60); // of slurmctld
constexpr std::size_t highest_file_bytes = 4096;

std::string first_line(const std::string &text) {
    return text.substr(0, text.find('\n'));
}

} // namespace

LimitKeeper::LimitKeeper(const Settings &settings, Jobs &jobs)
    : settings_(settings), jobs_(jobs), thread_([this] { run(); }) {}

LimitKeeper::~LimitKeeper() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopped_ = true;
    }
    stopping_.notify_all();
    thread_.join();
}

void LimitKeeper::run() noexcept {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopping_.wait_for(lock, interval, [this] { return stopped_; })) {
        lock.unlock();
        try {
            look();
        } catch (const std::exception &error) {
            slurm_error("the node agent cannot keep time limits: %s", error.what());
        }
        lock.lock();
    }
}

void LimitKeeper::look() {
    std::map<std::uint32_t, Kept> here;
    for (const Resident &resident : jobs_.residents()) {
        if (!resident.state.takes_part)
            continue;
        const auto known = kept_.find(resident.job_id);
        Kept &kept = here[resident.job_id] =
            known == kept_.end() ? recalled(resident.job_id) : known->second;
        try {
            look_at(resident, kept);
        } catch (const std::exception &error) {
            slurm_error("job %u: its time limit may be too short for what it loses by sharing: %s",
                        resident.job_id, error.what());
        }
    }
    kept_ = std::move(here);
}

void LimitKeeper::look_at(const Resident &resident, Kept &kept) {
    const auto most = static_cast<policy::Seconds>(settings_.config.limit_extension.general());
    const std::uint32_t job_id = resident.job_id;
    const policy::Seconds lost = kept.time.lost();
    kept.time.pass(std::time(nullptr), static_cast<int>(resident.state.allotment.mpl));
    const int minutes = kept.time.due(ahead, most);
    if (minutes > 0 && kept.has_limit)
        extend(job_id, kept, minutes);
    else if (kept.has_limit && kept.time.is_bounded(ahead, most))
        tell(job_id, kept, "LimitExtension of this site allows no more");
    if (minutes > 0 || kept.time.lost() != lost)
        save(job_id, kept);
}

void LimitKeeper::extend(std::uint32_t job_id, Kept &kept, int minutes) {
    const std::string id = std::to_string(job_id);
    if (!std::exchange(kept.was_asked, true)) {
        const Said limit = run_slurm("squeue", {"-h", "-a", "-j", id, "-o", "%l"}, patience);
        kept.has_limit = first_line(limit.text) != "UNLIMITED";
        if (!kept.has_limit)
            return;
    }
    const Said said = run_slurm(
        "scontrol", {"update", "JobId=" + id, "TimeLimit=+" + std::to_string(minutes)}, patience);
    if (said.status != 0) {
        tell(job_id, kept, first_line(said.text));
        return;
    }
    kept.time.extended_by(minutes);
    slurm_info("job %u: has %d minutes more, %d in all, for %lld s that it has lost by sharing and "
               "what it loses in the next minute",
               job_id, minutes, kept.time.extended(), static_cast<long long>(kept.time.lost()));
}

// Into what the job writes its errors to: only who reads that can still save its work.
void LimitKeeper::tell(std::uint32_t job_id, Kept &kept, const std::string &why) {
    if (std::exchange(kept.was_told, true))
        return;
    slurm_info("job %u: its time limit is not extended any more: %s", job_id, why.c_str());
    run_slurm("scontrol",
              {"notify", std::to_string(job_id),
               "slurm-vmall: this job shares its cores, and has lost " +
                   std::to_string(kept.time.lost()) + " s by that. Its time limit got " +
                   std::to_string(kept.time.extended()) +
                   " minutes more, and gets no more: " + why},
              patience);
}

std::string LimitKeeper::file_of(std::uint32_t job_id) const {
    return settings_.runtime_dir + "/" + std::to_string(job_id) + "/time_lost";
}

LimitKeeper::Kept LimitKeeper::recalled(std::uint32_t job_id) const {
    Kept kept;
    try {
        if (const auto saved = common::read_file(file_of(job_id), highest_file_bytes))
            kept.time = TimeLost::decode(*saved);
    } catch (const std::exception &error) {
        slurm_error("job %u: what it has lost by sharing is not known any more: %s", job_id,
                    error.what());
    }
    return kept;
}

void LimitKeeper::save(std::uint32_t job_id, const Kept &kept) const {
    common::replace_file(file_of(job_id), kept.time.encode(), 0600,
                         common::Survives::crash_of_ours);
}

} // namespace vmall::agent
