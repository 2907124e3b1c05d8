// SPDX-License-Identifier: GPL-2.0-or-later
//
// What becomes of targets, registrations and ends of jobs (doc/protocol.md).
#include "spank_vm/agent/jobs.hpp"

#include "spank_vm/agent/lost_steps.hpp"
#include "spank_vm/node/index_list.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <chrono>
#include <stdexcept>
#include <utility>

namespace vmall::agent {

namespace {

using control::Answer;
using control::Outcome;
using control::Target;

// More than a node can have jobs; bounds what stays of those that have ended.
constexpr std::size_t highest_remembered_count = 4096;

// Nobody knows where the processes of a step are that is not registered.
struct Unattached : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Allotment allotment_of(const Target &target) {
    return {target.cores, target.mpl, target.generation, target.run};
}

void log_allotment(std::uint32_t job_id, const Job &job) {
    const Allotment &allotment = job.allotment();
    const auto &confinement = job.confinement();
    slurm_info("job %u: allotment is cores %s, mpl %u, generation %llu%s%s", job_id,
               spank_vm::format_index_list(allotment.cores).c_str(), allotment.mpl,
               static_cast<unsigned long long>(allotment.generation),
               confinement ? ", confinement " : "", confinement ? name_of(*confinement) : "");
}

// Only advice: a page that cannot be read costs the report, not the fold.
control::RankReport survey(std::uint32_t job_id, const Job &job, const ProcessTable &processes) {
    try {
        return job.ranks(processes);
    } catch (const std::exception &error) {
        slurm_info("job %u: its ranks cannot be counted: %s", job_id, error.what());
        return {};
    }
}

} // namespace

Jobs::Jobs(Node node) : node_(std::move(node)) {
    for (const std::uint32_t job_id : node_.runtime_dir.job_ids())
        recover(job_id);
}

void Jobs::recover(std::uint32_t job_id) {
    try {
        const auto [job, added] = jobs_.emplace(job_id, Job::recover(node_, job_id));
        log_allotment(job_id, job->second);
    } catch (const std::exception &error) {
        damaged_[job_id] = error.what();
        slurm_error("job %u: cannot be resized any more, its files in %s are damaged: %s", job_id,
                    node_.runtime_dir.path().c_str(), error.what());
    }
}

Answer Jobs::handle(const Target &target) {
    std::unique_lock<std::mutex> lock(mutex_);
    Answer answer;
    answer.node = node_.name;
    answer.job_id = target.job_id;
    try {
        step_has_come_.wait_for(lock, node_.patience_for_starting_steps,
                                [&] { return !has_starting_step(target.job_id); });
        if (target.node != node_.name)
            throw std::runtime_error("the target is for node " + target.node);
        if (const auto damaged = damaged_.find(target.job_id); damaged != damaged_.end())
            throw std::runtime_error("the job's files are damaged: " + damaged->second);
        end_earlier_run(target);
        const auto found = jobs_.find(target.job_id);
        if (found == jobs_.end())
            return remember(target);
        Job &job = found->second;
        answer.generation = job.allotment().generation;
        if (target.generation < job.allotment().generation) {
            answer.outcome = Outcome::superseded;
            return answer;
        }
        const control::RankReport ranks = apply(target, job);
        if (ranks.tasks > 0)
            answer.ranks = ranks;
        answer.outcome = Outcome::applied;
        answer.generation = target.generation;
    } catch (const std::exception &error) {
        // The controller has the reason, tries again and complains.
        slurm_info("job %u: target of generation %llu refused: %s", target.job_id,
                   static_cast<unsigned long long>(target.generation), error.what());
        answer.outcome = Outcome::refused;
        answer.reason = error.what();
        answer.unattached = dynamic_cast<const Unattached *>(&error) != nullptr;
    }
    return answer;
}

control::Roll Jobs::call_roll() {
    const std::lock_guard<std::mutex> lock(mutex_);
    control::Roll roll;
    roll.node = node_.name;
    std::set<std::uint32_t> strangers = running_jobs(node_.step_socket_dir, node_.name);
    const ProcessTable processes = ProcessTable::look();
    for (const auto &[job_id, job] : jobs_) {
        strangers.erase(job_id);
        if (job.is_here(processes))
            roll.jobs.push_back({job_id, job.allotment().cores, job.allotment().generation});
    }
    for (const std::uint32_t job_id : strangers)
        roll.jobs.push_back({job_id});
    if (roll.jobs.size() > control::highest_roll_length)
        roll.jobs.resize(control::highest_roll_length);
    return roll;
}

bool Jobs::has_stray_step(std::uint32_t job_id) const {
    const auto found = jobs_.find(job_id);
    return found != jobs_.end()
               ? found->second.has_stray_step()
               : has_unknown_step(step_sockets(node_.step_socket_dir, node_.name, job_id), {});
}

bool Jobs::has_starting_step(std::uint32_t job_id) const {
    const auto found = jobs_.find(job_id);
    return has_stray_step(job_id) ||
           (found != jobs_.end() && found->second.is_launching(node_.patience_for_starting_steps));
}

void Jobs::recheck(std::uint32_t job_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = jobs_.find(job_id);
    if (found == jobs_.end())
        return;
    try {
        found->second.recheck();
    } catch (const std::exception &error) {
        slurm_error("job %u: has left its allotment: %s", job_id, error.what());
    }
}

control::RankReport Jobs::apply(const Target &target, Job &job) {
    const Allotment allotment = allotment_of(target);
    if (target.user_id != job.user())
        throw std::runtime_error("the job belongs to user " + std::to_string(job.user()));
    if (target.generation == job.allotment().generation && !(allotment == job.allotment()))
        throw std::runtime_error("this generation was another allotment");
    if (has_stray_step(target.job_id))
        throw Unattached("a step of the job runs here unattached");
    if (const std::string doubt = job.doubt(); !doubt.empty())
        throw std::runtime_error(doubt);
    const bool is_new = !(allotment == job.allotment());
    const ProcessTable processes = job.apply(allotment);
    const control::RankReport ranks = survey(target.job_id, job, processes);
    if (is_new)
        log_allotment(target.job_id, job);
    if (is_new && allotment.mpl > 1 && ranks.attached < ranks.tasks)
        slurm_info("job %u: %u of %u tasks are not attached to libvmrt (static program, other "
                   "MPI, or not in MPI yet): while folded they poll",
                   target.job_id, ranks.tasks - ranks.attached, ranks.tasks);
    return ranks;
}

Answer Jobs::remember(const Target &target) {
    if (has_stray_step(target.job_id))
        throw Unattached("the job runs here unattached");
    if (has_lost_step(step_sockets(node_.step_socket_dir, node_.name, target.job_id), {}) &&
        may_miss_orphans(target.user_id, 0, {}, ProcessTable::look()))
        throw std::runtime_error(who_is_left_is_unknown);
    node_.core_map.cpus(target.cores); // refuses what could not be applied later
    Answer answer;
    answer.node = node_.name;
    answer.job_id = target.job_id;
    answer.outcome = Outcome::unknown_job;
    const auto ended = ended_.find(target.job_id);
    if (ended != ended_.end() && target.run && *target.run <= ended->second)
        return answer;
    const auto known = remembered_.find(target.job_id);
    if (known != remembered_.end() && target.generation < known->second.generation) {
        answer.outcome = Outcome::superseded;
        answer.generation = known->second.generation;
        return answer;
    }
    remembered_[target.job_id] = target;
    if (remembered_.size() > highest_remembered_count)
        remembered_.erase(remembered_.begin());
    return answer;
}

// A run begins when the one before has ended. Who is left of that, as of a killed slurmstepd, stays
// with the job.
void Jobs::end_earlier_run(const Target &target) {
    const auto found = jobs_.find(target.job_id);
    if (found == jobs_.end() || target.user_id != found->second.user())
        return;
    const auto &run = found->second.allotment().run;
    if (run && target.run && *run < *target.run && !found->second.is_here(ProcessTable::look()))
        erase(target.job_id);
}

void Jobs::add_step(const spank_vm::Registration &registration, const Process &stepd) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto damaged = damaged_.find(registration.job_id); damaged != damaged_.end())
        throw std::runtime_error("the job's files are damaged: " + damaged->second);
    const auto found = jobs_.find(registration.job_id);
    Job &job = found != jobs_.end() ? found->second : create(registration);
    if (job.user() != registration.user)
        throw std::runtime_error("the job belongs to user " + std::to_string(job.user()));
    job.add_step({registration.step_id, stepd, session_of_step(stepd.pid)}, registration.ranks);
    step_has_come_.notify_all();
    slurm_verbose("job %u: step %u attached", registration.job_id, registration.step_id);
}

void Jobs::launched(const spank_vm::Launched &launched) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = jobs_.find(launched.job_id);
    if (found == jobs_.end())
        throw std::runtime_error("job " + std::to_string(launched.job_id) + " is not known here");
    found->second.launched(launched.step_id);
    step_has_come_.notify_all();
}

Job &Jobs::create(const spank_vm::Registration &registration) {
    Allotment allotment;
    allotment.cores = registration.cores;
    const auto known = remembered_.find(registration.job_id);
    if (known != remembered_.end() && known->second.user_id == registration.user) {
        const auto &run = known->second.run;
        if (!run || !registration.run || *run == *registration.run)
            allotment = allotment_of(known->second);
        else // whoever lies has what Slurm says, and no older target either
            allotment.generation = known->second.generation;
    }
    try {
        Job job = Job::create(node_, registration.job_id, registration.user, allotment);
        const auto [added, is_new] = jobs_.emplace(registration.job_id, std::move(job));
        remembered_.erase(registration.job_id);
        log_allotment(registration.job_id, added->second);
        return added->second;
    } catch (...) {
        node_.runtime_dir.remove_job(registration.job_id);
        throw;
    }
}

void Jobs::forget(std::uint32_t job_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    erase(job_id);
}

std::vector<std::uint32_t> Jobs::without_steps() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint32_t> found;
    for (const auto &[job_id, job] : jobs_)
        if (!job.has_live_step())
            found.push_back(job_id);
    for (const auto &[job_id, damage] : damaged_)
        found.push_back(job_id);
    return found;
}

void Jobs::forget_without_steps(std::uint32_t job_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = jobs_.find(job_id);
    if (found != jobs_.end() && found->second.has_live_step())
        return;
    slurm_info("job %u: has ended unheard, what is left of it goes", job_id);
    erase(job_id);
}

void Jobs::erase(std::uint32_t job_id) {
    const auto job = jobs_.find(job_id);
    const auto known = remembered_.find(job_id);
    const auto run = job != jobs_.end()           ? job->second.allotment().run
                     : known != remembered_.end() ? known->second.run
                                                  : std::nullopt;
    if (run)
        ended_[job_id] = *run;
    if (ended_.size() > highest_remembered_count)
        ended_.erase(ended_.begin());
    remembered_.erase(job_id);
    damaged_.erase(job_id);
    if (jobs_.erase(job_id) > 0)
        slurm_verbose("job %u: forgotten", job_id);
    node_.runtime_dir.remove_job(job_id);
}

} // namespace vmall::agent
