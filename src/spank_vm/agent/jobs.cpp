// SPDX-License-Identifier: GPL-2.0-or-later
//
// What becomes of targets, registrations and ends of jobs (doc/protocol.md).
#include "spank_vm/agent/jobs.hpp"

#include "spank_vm/agent/lost_steps.hpp"
#include "spank_vm/node/index_list.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace vmall::agent {

namespace {

using wire::Answer;
using wire::Outcome;
using wire::Target;

void log_allotment(std::uint32_t job_id, const Job &job) {
    const Allotment &allotment = job.allotment();
    const auto &confinement = job.confinement();
    slurm_info("job %u: allotment is cores %s, mpl %u, generation %llu%s%s", job_id,
               spank_vm::format_index_list(allotment.cores).c_str(), allotment.mpl,
               static_cast<unsigned long long>(allotment.generation),
               confinement ? ", confinement " : "", confinement ? name_of(*confinement) : "");
}

// Of a later run than the job, or of another user: a number is given again when the one before has
// ended.
bool is_of_next_run(const Target &target, const Job &job) {
    const auto &run = job.allotment().run;
    return target.user_id != job.user() || (run && target.run && *run < *target.run);
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
        recover(job_id, *entries_.of(job_id));
}

void Jobs::recover(std::uint32_t job_id, Entry &entry) {
    try {
        if (auto job = recovered(node_, job_id)) {
            entry.known.recover(std::move(*job));
            log_allotment(job_id, *entry.known.job());
        } else
            node_.runtime_dir.remove_job(job_id);
    } catch (const std::exception &error) {
        entry.known.damage(error.what());
        slurm_error("job %u: cannot be resized any more, its files in %s are damaged: %s", job_id,
                    node_.runtime_dir.path().c_str(), error.what());
    }
}

Answer Jobs::handle(const Target &target) {
    const std::shared_ptr<Entry> entry = entries_.of(target.job_id);
    std::unique_lock<std::mutex> lock(entry->mutex);
    Answer answer;
    answer.node = node_.name;
    answer.job_id = target.job_id;
    std::optional<Refusal> refusal;
    try {
        entry->step_has_come.wait_for(lock, node_.patience_for_starting_steps,
                                      [&] { return !has_starting_step(target.job_id, *entry); });
        refusal = take(target, *entry, answer);
    } catch (const std::exception &error) {
        refusal = Refusal{error.what()};
    }
    if (!refusal)
        return answer;
    // The controller has the reason, tries again and complains.
    slurm_info("job %u: target of generation %llu refused: %s", target.job_id,
               static_cast<unsigned long long>(target.generation), refusal->reason.c_str());
    answer.outcome = Outcome::refused;
    answer.reason = refusal->reason;
    answer.unattached = refusal->unattached;
    return answer;
}

// Who is left of an earlier run, as of a killed slurmstepd, stays with the job.
JobEvent Jobs::event_of(const Target &target, const Entry &entry) const {
    if (target.node != node_.name)
        return JobEvent::strange_target;
    const Job *job = entry.known.job();
    if (!job)
        return event_before_first_step(target, entry);
    if (target.generation < job->allotment().generation)
        return JobEvent::late_target;
    if (is_of_next_run(target, *job) && !job->is_here(ProcessTable::look()))
        return JobEvent::next_target;
    if (entry.is_of_ended_run(target))
        return JobEvent::ended_target;
    if (target.user_id != job->user())
        return JobEvent::strange_target;
    if (entry.known.is_contradicted_by(target))
        return JobEvent::false_target;
    if (job->has_stray_step())
        return JobEvent::beside_stranger;
    return job->may_miss_members() ? JobEvent::doubtful_target : JobEvent::target;
}

JobEvent Jobs::event_before_first_step(const Target &target, const Entry &entry) const {
    if (entry.known.damage())
        return JobEvent::target;
    if (has_stray_step(target.job_id, entry))
        return JobEvent::beside_stranger;
    if (target.only_served)
        return JobEvent::for_served;
    if (has_lost_step(step_sockets(node_.step_socket_dir, node_.name, target.job_id), {}) &&
        may_miss_orphans(target.user_id, 0, {}, ProcessTable::look()))
        return JobEvent::doubtful_target;
    if (entry.is_of_ended_run(target))
        return JobEvent::ended_target;
    const Target *remembered = entry.known.remembered();
    return remembered && target.generation < remembered->generation ? JobEvent::late_target
                                                                    : JobEvent::target;
}

std::optional<Refusal> Jobs::take(const Target &target, Entry &entry, Answer &answer) {
    const JobEvent event = event_of(target, entry);
    const Target *remembered = entry.known.remembered();
    const Job *job = entry.known.job();
    answer.generation = job ? job->allotment().generation : 0;
    switch (step(entry.known.state(), event).deed) {
    case JobDeed::begin_anew:
        begin_anew(target, entry);
        return take(target, entry, answer);
    case JobDeed::supersede:
        answer.outcome = Outcome::superseded;
        answer.generation = remembered ? remembered->generation : answer.generation;
        return std::nullopt;
    case JobDeed::pass_over:
        answer.outcome = Outcome::unknown_job;
        return std::nullopt;
    case JobDeed::remember:
        node_.core_map.cpus(target.cores); // refuses what could not be applied later
        entry.known.remember(target);
        answer.outcome = Outcome::unknown_job;
        return std::nullopt;
    case JobDeed::move:
        return move(target, entry, answer);
    default:
        return refusal_of(target, event, entry.known, node_.name);
    }
}

wire::Roll Jobs::call_roll() {
    wire::Roll roll;
    roll.node = node_.name;
    std::set<std::uint32_t> strangers = running_jobs(node_.step_socket_dir, node_.name);
    const ProcessTable processes = ProcessTable::look();
    for (const auto &[job_id, entry] : entries_.all()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        const Job *job = entry->known.job();
        if (!job)
            continue;
        strangers.erase(job_id);
        const Allotment &allotment = job->allotment();
        roll.jobs.push_back({job_id, allotment.cores, allotment.generation, job->is_here(processes),
                             allotment.run});
    }
    for (const std::uint32_t job_id : strangers)
        roll.jobs.push_back({job_id});
    if (roll.jobs.size() > wire::highest_roll_length)
        roll.jobs.resize(wire::highest_roll_length);
    return roll;
}

bool Jobs::has_stray_step(std::uint32_t job_id, const Entry &entry) const {
    const Job *job = entry.known.job();
    return job ? job->has_stray_step()
               : has_unknown_step(step_sockets(node_.step_socket_dir, node_.name, job_id), {});
}

bool Jobs::has_starting_step(std::uint32_t job_id, const Entry &entry) const {
    const Job *job = entry.known.job();
    return has_stray_step(job_id, entry) ||
           (job && job->is_launching(node_.patience_for_starting_steps));
}

void Jobs::recheck(std::uint32_t job_id) {
    try {
        const std::shared_ptr<Entry> entry = entries_.of(job_id);
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (Job *job = entry->known.job())
            job->recheck();
    } catch (const std::exception &error) {
        slurm_error("job %u: has left its allotment: %s", job_id, error.what());
    }
}

std::optional<Refusal> Jobs::move(const Target &target, Entry &entry, Answer &answer) {
    Job &job = *entry.known.job();
    if (auto refusal = refusal_to_fold(target, job, node_.folds_unserved))
        return refusal;
    const Allotment allotment = allotment_of(target);
    const bool is_new = !(allotment == job.allotment());
    const ProcessTable processes = job.apply(allotment);
    entry.known.has_moved();
    const wire::RankReport ranks = job.ranks(processes);
    if (is_new)
        log_allotment(target.job_id, job);
    if (is_new && allotment.mpl > 1 && ranks.attached < ranks.tasks)
        slurm_info("job %u: %u of %u tasks are not attached to libvmrt (static program, other "
                   "MPI, or not in MPI yet): while folded they poll",
                   target.job_id, ranks.tasks - ranks.attached, ranks.tasks);
    if (ranks.tasks > 0)
        answer.ranks = ranks;
    answer.outcome = Outcome::applied;
    answer.generation = target.generation;
    return std::nullopt;
}

void Jobs::begin_anew(const Target &target, Entry &entry) {
    const bool is_anothers = target.user_id != entry.known.job()->user();
    erase(target.job_id, entry);
    if (is_anothers)
        entry.forget_ended_run();
}

void Jobs::add_step(const spank_vm::Registration &registration, const Process &stepd) {
    const std::shared_ptr<Entry> entry = entries_.of(registration.job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    see_whether_run_anew(registration, *entry);
    KnownJob &known = entry->known;
    const JobDeed deed = step(known.state(), known.event_of(registration)).deed;
    if (deed == JobDeed::refuse)
        throw std::runtime_error("the job's files are damaged: " + *known.damage());
    if (deed != JobDeed::add_step)
        begin(deed, registration, known);
    Job &job = *known.job();
    if (job.user() != registration.user)
        throw std::runtime_error("the job belongs to user " + std::to_string(job.user()));
    job.add_step({registration.step_id, stepd, session_of_step(stepd.pid)}, registration.ranks);
    entry->step_has_come.notify_all();
    slurm_verbose("job %u: step %u attached", registration.job_id, registration.step_id);
}

// Of a run that ended while this node was down no end is heard. Where no controller says that
// another one has begun, its cores do: those of a run stay.
void Jobs::see_whether_run_anew(const spank_vm::Registration &step, Entry &entry) {
    Job *job = entry.known.job();
    if (!node_.deals_cores || !job || job->state().given.empty() ||
        (job->state().given == step.cores && job->user() == step.user))
        return;
    if (job->has_members(ProcessTable::look())) {
        job->give(step.cores);
        return;
    }
    slurm_info("job %u: is run anew, what is left of it goes", step.job_id);
    erase(step.job_id, entry);
}

void Jobs::launched(const spank_vm::Launched &launched) {
    const std::shared_ptr<Entry> entry = entries_.of(launched.job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (step(entry->known.state(), JobEvent::launched).deed == JobDeed::refuse)
        throw std::runtime_error("job " + std::to_string(launched.job_id) + " is not known here");
    entry->known.job()->launched(launched.step_id);
    entry->step_has_come.notify_all();
}

void Jobs::begin(JobDeed deed, const spank_vm::Registration &registration, KnownJob &known) {
    const Allotment allotment = known.first_allotment(deed, registration);
    try {
        known.begin(deed, Job::create(node_, registration.job_id,
                                      {registration.user,
                                       allotment,
                                       {},
                                       {},
                                       registration.cores,
                                       registration.takes_part}));
        log_allotment(registration.job_id, *known.job());
    } catch (...) {
        node_.runtime_dir.remove_job(registration.job_id);
        throw;
    }
}

void Jobs::forget(std::uint32_t job_id) {
    const std::shared_ptr<Entry> entry = entries_.of(job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    erase(job_id, *entry);
}

std::vector<Resident> Jobs::residents() {
    std::vector<Resident> found;
    for (const auto &[job_id, entry] : entries_.all()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        const Job *job = entry->known.job();
        if (!job)
            continue;
        const JobState &state = job->state();
        const auto cpus = node_.core_map.cpus({state.allotment.cores.front()}).size();
        const auto wanted = state.ranks.cpus_per_rank;
        found.push_back({job_id, state, static_cast<int>((wanted + cpus - 1) / cpus)});
    }
    return found;
}

std::map<std::uint32_t, wire::RankReport> Jobs::survey_ranks() {
    std::map<std::uint32_t, wire::RankReport> found;
    const ProcessTable processes = ProcessTable::look();
    for (const auto &[job_id, entry] : entries_.all()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        if (const Job *job = entry->known.job())
            found.emplace(job_id, job->ranks(processes));
    }
    return found;
}

std::vector<std::uint32_t> Jobs::without_steps() {
    std::vector<std::uint32_t> found;
    for (const auto &[job_id, entry] : entries_.all()) {
        const std::lock_guard<std::mutex> lock(entry->mutex);
        const Job *job = entry->known.job();
        if (entry->known.damage() || (job && !job->has_live_step()))
            found.push_back(job_id);
    }
    return found;
}

void Jobs::forget_without_steps(std::uint32_t job_id) {
    const std::shared_ptr<Entry> entry = entries_.of(job_id);
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (const Job *job = entry->known.job(); job && job->has_live_step())
        return;
    slurm_info("job %u: has ended unheard, what is left of it goes", job_id);
    erase(job_id, *entry);
}

void Jobs::erase(std::uint32_t job_id, Entry &entry) {
    if (entry.known.job())
        slurm_verbose("job %u: forgotten", job_id);
    entry.forget_job();
    node_.runtime_dir.remove_job(job_id);
}

} // namespace vmall::agent
