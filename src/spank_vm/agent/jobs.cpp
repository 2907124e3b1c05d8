// SPDX-License-Identifier: GPL-2.0-or-later
//
// What becomes of targets, registrations and ends of jobs (doc/protocol.md).
#include "spank_vm/agent/jobs.hpp"

#include "control/seal.hpp"
#include "spank_vm/agent/lost_steps.hpp"
#include "spank_vm/node/index_list.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace vmall::agent {

namespace {

using control::Answer;
using control::Outcome;
using control::Target;

// More than a node can have jobs; bounds what stays of those that have ended.
constexpr std::size_t highest_entry_count = 4096;

// Nobody knows where the processes of a step are that is not registered, and nobody lets ranks take
// turns that libvmrt cannot serve. Neither changes while the step runs.
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

// Its ranks would poll against each other. Who has not called MPI yet is none of these.
void refuse_to_fold_unserved(const Target &target, const Job &job) {
    if (target.mpl == 1 || target.cores.size() >= job.allotment().cores.size())
        return;
    const ProcessTable processes = ProcessTable::look();
    const control::RankReport ranks = survey(target.job_id, job, processes);
    if (ranks.tasks == 0 || ranks.attached > 0)
        return;
    if ((ranks.engines & control::engine_none) != 0)
        throw Unattached("libvmrt does not know the MPI library of its tasks (FoldUnserved)");
    if (job.has_static_process(processes))
        throw Unattached("its tasks are linked statically, so libvmrt serves none (FoldUnserved)");
}

// Its user has not asked for it, and knows nothing of what folding does to other programs.
void refuse_to_fold_unless_served(const Target &target, const Job &job) {
    if (target.cores.size() >= job.allotment().cores.size())
        return;
    const control::RankReport ranks = survey(target.job_id, job, ProcessTable::look());
    if (ranks.tasks == 0 || ranks.attached < ranks.tasks)
        throw std::runtime_error("libvmrt serves " + std::to_string(ranks.attached) + " of " +
                                 std::to_string(ranks.tasks) + " ranks here (TakePart)");
}

bool may_be_of_one_run(const Target &target, const spank_vm::Registration &step) {
    return !target.run || !step.run || *target.run == *step.run;
}

// A slurmctld that was killed before it saved starts the job again as the same run, and maybe
// elsewhere.
bool is_of_this_start(const Target &target, const spank_vm::Registration &step) {
    return may_be_of_one_run(target, step) &&
           std::includes(step.cores.begin(), step.cores.end(), target.cores.begin(),
                         target.cores.end());
}

// Nothing: the earlier agent was killed while it made the job's files, before the first step could
// begin, or while it removed them.
std::optional<Job> recovered(const Node &node, std::uint32_t job_id) {
    try {
        return Job::recover(node, job_id);
    } catch (const std::system_error &error) {
        if (error.code() == std::errc::no_such_file_or_directory)
            return std::nullopt;
        throw;
    }
}

} // namespace

Jobs::Jobs(Node node) : node_(std::move(node)) {
    for (const std::uint32_t job_id : node_.runtime_dir.job_ids())
        recover(job_id, *entry_of(job_id));
}

std::shared_ptr<Jobs::Entry> Jobs::entry_of(std::uint32_t job_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<Entry> entry = entries_[job_id];
    if (!entry)
        entries_[job_id] = entry = std::make_shared<Entry>();
    for (auto old = entries_.begin();
         old != entries_.end() && entries_.size() > highest_entry_count;)
        old = is_over(old->second) ? entries_.erase(old) : std::next(old);
    return entry;
}

// Nobody can get an entry that only the map has, whose mutex is locked.
bool Jobs::is_over(const std::shared_ptr<Entry> &entry) {
    if (entry.use_count() > 1)
        return false;
    const std::lock_guard<std::mutex> lock(entry->mutex);
    return !entry->job && !entry->damage;
}

bool Jobs::is_of_ended_run(const Target &target, const Entry &entry) {
    constexpr std::chrono::seconds lifetime{control::Seal::seconds_to_live};
    return entry.ended && target.run && *target.run <= entry.ended->run &&
           std::chrono::steady_clock::now() < entry.ended->at + lifetime;
}

void Jobs::recover(std::uint32_t job_id, Entry &entry) {
    try {
        if (auto job = recovered(node_, job_id))
            log_allotment(job_id, entry.job.emplace(std::move(*job)));
        else
            node_.runtime_dir.remove_job(job_id);
    } catch (const std::exception &error) {
        entry.damage = error.what();
        slurm_error("job %u: cannot be resized any more, its files in %s are damaged: %s", job_id,
                    node_.runtime_dir.path().c_str(), error.what());
    }
}

Answer Jobs::handle(const Target &target) {
    const std::shared_ptr<Entry> entry = entry_of(target.job_id);
    std::unique_lock<std::mutex> lock(entry->mutex);
    Answer answer;
    answer.node = node_.name;
    answer.job_id = target.job_id;
    try {
        entry->step_has_come.wait_for(lock, node_.patience_for_starting_steps,
                                      [&] { return !has_starting_step(target.job_id, *entry); });
        if (target.node != node_.name)
            throw std::runtime_error("the target is for node " + target.node);
        if (entry->damage)
            throw std::runtime_error("the job's files are damaged: " + *entry->damage);
        end_earlier_run(target, *entry);
        if (!entry->job)
            return remember(target, *entry);
        answer.generation = entry->job->allotment().generation;
        if (target.generation < answer.generation || is_of_ended_run(target, *entry)) {
            answer.outcome = Outcome::superseded;
            return answer;
        }
        const control::RankReport ranks = apply(target, *entry);
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

std::vector<std::pair<std::uint32_t, std::shared_ptr<Jobs::Entry>>> Jobs::entries() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {entries_.begin(), entries_.end()};
}

control::Roll Jobs::call_roll() {
    control::Roll roll;
    roll.node = node_.name;
    std::set<std::uint32_t> strangers = running_jobs(node_.step_socket_dir, node_.name);
    const ProcessTable processes = ProcessTable::look();
    for (const auto &[job_id, entry] : entries()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (!entry->job)
            continue;
        strangers.erase(job_id);
        const Allotment &allotment = entry->job->allotment();
        roll.jobs.push_back({job_id, allotment.cores, allotment.generation,
                             entry->job->is_here(processes), allotment.run});
    }
    for (const std::uint32_t job_id : strangers)
        roll.jobs.push_back({job_id});
    if (roll.jobs.size() > control::highest_roll_length)
        roll.jobs.resize(control::highest_roll_length);
    return roll;
}

bool Jobs::has_stray_step(std::uint32_t job_id, const Entry &entry) const {
    return entry.job
               ? entry.job->has_stray_step()
               : has_unknown_step(step_sockets(node_.step_socket_dir, node_.name, job_id), {});
}

bool Jobs::has_starting_step(std::uint32_t job_id, const Entry &entry) const {
    return has_stray_step(job_id, entry) ||
           (entry.job && entry.job->is_launching(node_.patience_for_starting_steps));
}

void Jobs::recheck(std::uint32_t job_id) {
    const std::shared_ptr<Entry> entry = entry_of(job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (!entry->job)
        return;
    try {
        entry->job->recheck();
    } catch (const std::exception &error) {
        slurm_error("job %u: has left its allotment: %s", job_id, error.what());
    }
}

control::RankReport Jobs::apply(const Target &target, Entry &entry) {
    Job &job = *entry.job;
    const Allotment allotment = allotment_of(target);
    if (target.user_id != job.user())
        throw std::runtime_error("the job belongs to user " + std::to_string(job.user()));
    if (target.generation == job.allotment().generation && !(allotment == job.allotment()) &&
        !entry.has_what_slurm_says)
        throw std::runtime_error("this generation was another allotment");
    if (has_stray_step(target.job_id, entry))
        throw Unattached("a step of the job runs here unattached");
    if (const std::string doubt = job.doubt(); !doubt.empty())
        throw std::runtime_error(doubt);
    if (target.only_served)
        refuse_to_fold_unless_served(target, job);
    else if (!node_.folds_unserved)
        refuse_to_fold_unserved(target, job);
    const bool is_new = !(allotment == job.allotment());
    const ProcessTable processes = job.apply(allotment);
    entry.has_what_slurm_says = false;
    const control::RankReport ranks = survey(target.job_id, job, processes);
    if (is_new)
        log_allotment(target.job_id, job);
    if (is_new && allotment.mpl > 1 && ranks.attached < ranks.tasks)
        slurm_info("job %u: %u of %u tasks are not attached to libvmrt (static program, other "
                   "MPI, or not in MPI yet): while folded they poll",
                   target.job_id, ranks.tasks - ranks.attached, ranks.tasks);
    return ranks;
}

Answer Jobs::remember(const Target &target, Entry &entry) {
    if (has_stray_step(target.job_id, entry))
        throw Unattached("the job runs here unattached");
    if (target.only_served)
        throw std::runtime_error("no step of the job has begun here (TakePart)");
    if (has_lost_step(step_sockets(node_.step_socket_dir, node_.name, target.job_id), {}) &&
        may_miss_orphans(target.user_id, 0, {}, ProcessTable::look()))
        throw std::runtime_error(who_is_left_is_unknown);
    node_.core_map.cpus(target.cores); // refuses what could not be applied later
    Answer answer;
    answer.node = node_.name;
    answer.job_id = target.job_id;
    answer.outcome = Outcome::unknown_job;
    if (is_of_ended_run(target, entry))
        return answer;
    if (entry.remembered && target.generation < entry.remembered->generation) {
        answer.outcome = Outcome::superseded;
        answer.generation = entry.remembered->generation;
        return answer;
    }
    entry.remembered = target;
    return answer;
}

// A run begins when the one before has ended, and a number is given again then. Who is left of
// that, as of a killed slurmstepd, stays with the job.
void Jobs::end_earlier_run(const Target &target, Entry &entry) {
    if (!entry.job || target.generation < entry.job->allotment().generation)
        return;
    const auto &run = entry.job->allotment().run;
    const bool is_anothers = target.user_id != entry.job->user();
    const bool is_later_run = run && target.run && *run < *target.run;
    if ((!is_anothers && !is_later_run) || entry.job->is_here(ProcessTable::look()))
        return;
    erase(target.job_id, entry);
    if (is_anothers)
        entry.ended.reset();
}

void Jobs::add_step(const spank_vm::Registration &registration, const Process &stepd) {
    const std::shared_ptr<Entry> entry = entry_of(registration.job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (entry->damage)
        throw std::runtime_error("the job's files are damaged: " + *entry->damage);
    if (!entry->job)
        create(registration, *entry);
    Job &job = *entry->job;
    if (job.user() != registration.user)
        throw std::runtime_error("the job belongs to user " + std::to_string(job.user()));
    job.add_step({registration.step_id, stepd, session_of_step(stepd.pid)}, registration.ranks);
    entry->step_has_come.notify_all();
    slurm_verbose("job %u: step %u attached", registration.job_id, registration.step_id);
}

void Jobs::launched(const spank_vm::Launched &launched) {
    const std::shared_ptr<Entry> entry = entry_of(launched.job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (!entry->job)
        throw std::runtime_error("job " + std::to_string(launched.job_id) + " is not known here");
    entry->job->launched(launched.step_id);
    entry->step_has_come.notify_all();
}

void Jobs::create(const spank_vm::Registration &registration, Entry &entry) {
    Allotment allotment;
    allotment.cores = registration.cores;
    const auto &known = entry.remembered;
    entry.has_what_slurm_says = false;
    if (known && known->user_id == registration.user) {
        if (is_of_this_start(*known, registration))
            allotment = allotment_of(*known);
        else { // whoever lies has what Slurm says, and no older target either
            allotment.generation = known->generation;
            entry.has_what_slurm_says = true;
        }
        if (may_be_of_one_run(*known, registration))
            allotment.run = known->run;
    }
    try {
        entry.job.emplace(Job::create(
            node_, registration.job_id,
            {registration.user, allotment, {}, {}, registration.cores, registration.takes_part}));
        entry.remembered.reset();
        log_allotment(registration.job_id, *entry.job);
    } catch (...) {
        node_.runtime_dir.remove_job(registration.job_id);
        throw;
    }
}

void Jobs::forget(std::uint32_t job_id) {
    const std::shared_ptr<Entry> entry = entry_of(job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    erase(job_id, *entry);
}

std::vector<Resident> Jobs::residents() {
    std::vector<Resident> found;
    for (const auto &[job_id, entry] : entries()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (!entry->job)
            continue;
        const JobState &state = entry->job->state();
        const auto cpus = node_.core_map.cpus({state.allotment.cores.front()}).size();
        const auto wanted = state.ranks.cpus_per_rank;
        found.push_back({job_id, state, static_cast<int>((wanted + cpus - 1) / cpus)});
    }
    return found;
}

std::map<std::uint32_t, control::RankReport> Jobs::survey_ranks() {
    std::map<std::uint32_t, control::RankReport> found;
    const ProcessTable processes = ProcessTable::look();
    for (const auto &[job_id, entry] : entries()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (entry->job)
            found.emplace(job_id, survey(job_id, *entry->job, processes));
    }
    return found;
}

std::vector<std::uint32_t> Jobs::without_steps() {
    std::vector<std::uint32_t> found;
    for (const auto &[job_id, entry] : entries()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (entry->damage || (entry->job && !entry->job->has_live_step()))
            found.push_back(job_id);
    }
    return found;
}

void Jobs::forget_without_steps(std::uint32_t job_id) {
    const std::shared_ptr<Entry> entry = entry_of(job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (entry->job && entry->job->has_live_step())
        return;
    slurm_info("job %u: has ended unheard, what is left of it goes", job_id);
    erase(job_id, *entry);
}

void Jobs::erase(std::uint32_t job_id, Entry &entry) {
    const auto run = entry.job          ? entry.job->allotment().run
                     : entry.remembered ? entry.remembered->run
                                        : std::nullopt;
    if (run)
        entry.ended = Ended{*run, std::chrono::steady_clock::now()};
    if (entry.job)
        slurm_verbose("job %u: forgotten", job_id);
    entry.job.reset();
    entry.damage.reset();
    entry.remembered.reset();
    node_.runtime_dir.remove_job(job_id);
}

} // namespace vmall::agent
