// SPDX-License-Identifier: GPL-2.0-or-later
//
// Look, decide, act, confirm.
#include "plugins/sched_fjt/scheduler.hpp"

#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/look.hpp"
#include "plugins/sched_fjt/open_gate.hpp"
#include "plugins/sched_fjt/owned_text.hpp"
#include "plugins/sched_fjt/start_request.hpp"
#include "plugins/sched_fjt/state_file.hpp"
#include "plugins/sched_fjt/trial.hpp"
#include "policy/reasons.hpp"
#include "policy/room.hpp"
#include "policy/scheduler.hpp"
#include "slurmglue/job_request.h"
#include "slurmglue/job_start.h"
#include "slurmglue/job_view.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <pthread.h>
#include <set>

namespace vmall::sched {

namespace {

// Slurm refuses starts that the policy thinks possible (licences, memory, …); the policy is asked
// again with what was learnt, but not for ever: on a large machine each round takes long, and what
// has been seen of the queue grows old.
constexpr int highest_rounds = 50;
constexpr std::chrono::seconds longest_rounds{2}; // as Slurm's main loop (max_sched_time)

// On a large machine under load, others have slurmctld's locks for at least so many times as long
// as a pass that only looked; after one that started jobs, as Slurm's main loop would have done,
// for as long as the pass, up to a second.
constexpr int rest_after_a_look = 9;
constexpr std::uint64_t longest_rest_after_starts = 1000000; // microseconds

std::string munge_socket(const config::Config &config) {
    return config.munge_socket.empty() ? taken(vmall_munge_socket()) : config.munge_socket;
}

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// vmall.conf does not accept window policies that ask for this.
void refuse(const char *action, policy::JobId id) {
    log_error(std::string("the policy wants to ") + action + " " + job_name(id.value) +
              ", which only vmsim does; nothing is done");
}

// Where nobody is virtually malleable, Slurm's own schedulers decide.
config::Config for_slurm(config::Config config) {
    config.policy.only_malleable_pools = true;
    return config;
}

// Slurm takes long to tell on a large machine, and aggressive backfilling plans with the head only.
bool needs_expected_start(const policy::Start &refused, const config::Config &config) {
    return !refused.backfilled ||
           config.policy.queue_discipline == policy::QueueDiscipline::conservative;
}

} // namespace

Scheduler::Scheduler(const select::Gate &gate, std::string config_path)
    : gate_(gate), live_config_(std::move(config_path)), config_(for_slurm(live_config_.get())),
      state_path_(taken(vmall_state_save_location()) + "/vmall_jobs"), ledger_(std::time(nullptr)),
      messenger_(munge_socket(config_), [this] { waker_.wake(); }),
      resizer_(ledger_, messenger_, counters_),
      books_(ledger_, counters_, [this] { waker_.wake(); }),
      query_server_(
          config_.control_port, munge_socket(config_),
          [this](const control::Query &query, uid_t asker) { return answer(query, asker); },
          [](const std::string &line) { log_debug("query: " + line); }) {
    resizer_.configure(config_);
    gate_.fold_gres(config_.fold_gres);
    if (const auto state = read_state(state_path_)) {
        try {
            ledger_.restore(*state);
        } catch (const std::exception &error) {
            log_error(state_path_ + ": " + error.what() + "; starting without it");
        }
    }
    warnings_.tell_parameters();
    thread_ = std::thread([this] { run(); });
}

Scheduler::~Scheduler() {
    waker_.stop();
    thread_.join();
}

void Scheduler::run() noexcept {
    pthread_setname_np(pthread_self(), "sched_fjt"); // for top -H, as Slurm does with its threads
    std::chrono::microseconds rest{0};
    for (;;) {
        const Waker::Reasons reasons =
            waker_.wait(std::chrono::seconds(config_.schedule_interval), rest);
        if (reasons.stop)
            return;
        try {
            if (reasons.reconfigure) {
                read_config_again();
                warnings_.tell_parameters();
            }
            take_settings();
            rest = timed_pass();
        } catch (const std::exception &error) {
            log_error(std::string("scheduling pass: ") + error.what());
        }
    }
}

// In the thread of the query server.
std::string Scheduler::answer(const control::Query &query, uid_t asker) {
    if (query.ask == control::Ask::set)
        change_settings(query.settings, asker);
    if (query.ask == control::Ask::set || query.ask == control::Ask::config)
        return control::encode(live_config_.rows());
    return status_.answer(query);
}

void Scheduler::change_settings(const std::vector<control::Setting> &settings, uid_t asker) {
    const std::string user = "user " + std::to_string(asker);
    if (!vmall_is_operator(asker)) {
        log_info(user + " may not change settings");
        throw std::runtime_error("only operators of Slurm may change settings");
    }
    live_config_.change(settings);
    for (const control::Setting &setting : settings)
        log_info(user + " sets " + setting.key + "=" + setting.value);
    waker_.wake();
}

void Scheduler::read_config_again() {
    try {
        live_config_.read_again();
        log_info("read " + live_config_.path());
    } catch (const config::ConfigError &error) {
        log_error(std::string(error.what()) + "; the old settings stay");
    }
}

void Scheduler::take_settings() {
    config::Config fresh = for_slurm(live_config_.get());
    if (fresh.control_port != config_.control_port)
        log_info("ControlPort changes when slurmctld is restarted");
    config_ = std::move(fresh);
    resizer_.configure(config_);
    gate_.fold_gres(config_.fold_gres);
}

std::chrono::microseconds Scheduler::timed_pass() {
    const LockTimes before = lock_times;
    const std::uint64_t starts = counters_.starts;
    const auto begin = Clock::now();
    pass();
    const std::uint64_t took = microseconds_since(begin) - (lock_times.waited - before.waited);
    counters_.pass_microseconds += took;
    counters_.pass_longest_microseconds = std::max(counters_.pass_longest_microseconds, took);
    counters_.locked_microseconds = lock_times.locked;
    counters_.locked_longest_microseconds = lock_times.longest_locked;
    const std::uint64_t locked = lock_times.locked - before.locked;
    return std::chrono::microseconds(counters_.starts > starts
                                         ? std::min(took, longest_rest_after_starts)
                                         : std::max(rest_after_a_look * locked, took));
}

void Scheduler::pass() {
    ++counters_.passes;
    resizer_.settle();
    View view = look(config_.fold_gres);
    warnings_.tell_contradiction(view.contradiction);
    books_.close(view.now, ledger_.keep_only(view.active));
    resizer_.retry(view);
    if (view.may_schedule) {
        raise_requests(view);
        decide_and_act(view);
    }
    books_.keep(view, config_);
    status_.publish(view, ledger_, counters_, config_);
    save_state();
}

void Scheduler::decide_and_act(View &view) {
    const auto end = Clock::now() + longest_rounds;
    Refusals refusals;
    for (int round = 1;; ++round) {
        const auto actions =
            policy::decide(snapshot(view, ledger_, config_, refusals, promises_), config_.policy);
        promises_ = promises(actions);
        const bool changed = act(view, actions, refusals);
        if (!changed || round == highest_rounds || Clock::now() > end) {
            if (!changed)
                preempt(view, actions);
            tell_why(view, actions);
            status_.publish_queue(view, actions, config_);
            return;
        }
        look_again(view);
    }
}

void Scheduler::raise_requests(const View &view) {
    NodeKinds kinds(view);
    for (const JobView &job : view.queue) {
        const int tasks = job.virtually_malleable ? fewest_tasks(job, kinds) : 0;
        if (job.tasks >= tasks && job.min_cpus >= tasks)
            continue;
        const LockToAct lock;
        vmall_raise_request(job.id, static_cast<std::uint32_t>(tasks));
    }
}

// True if slurmctld's state has changed or a start was refused, so that deciding again may find
// more to do.
bool Scheduler::act(const View &view, const std::vector<policy::Action> &actions,
                    Refusals &refusals) {
    if (folds_in_vain(view, actions, refusals))
        return true;
    bool changed = false;
    LockToActInARow lock;
    for (const policy::Action &action : actions) {
        const std::size_t refused = refusals.size();
        std::visit(Overloaded{
                       [&](const policy::Start &it) {
                           lock.take();
                           changed = start(view, it, refusals) || changed;
                       },
                       [&](const policy::Resize &it) {
                           lock.give_back();
                           changed = resize(view, it) || changed;
                       },
                       [&](const policy::Requeue &it) {
                           lock.give_back();
                           requeue(view, it);
                       },
                       [](const policy::Kill &it) { refuse("kill", it.id); },
                       [](const policy::Suspend &it) { refuse("suspend", it.id); },
                       [](const policy::Resume &it) { refuse("resume", it.id); },
                       [](const policy::Wait &) {},
                   },
                   action);
        if (refusals.size() > refused)
            return true;
    }
    return changed;
}

bool Scheduler::start(const View &view, const policy::Start &start, Refusals &refusals) {
    const JobView *job = waiting_job(view, start.id.value);
    if (!job)
        return false;
    const StartRequest request(view, *job, start);
    std::uint32_t started = job->id;
    const OpenGate gate(gate_);
    const int error = vmall_start_job(request.get(), &started);
    if (error) {
        ++counters_.refusals_by_slurm;
        log_debug("Slurm does not start " + job_name(job->id) + ": " + vmall_error_text(error));
        Refusal &refusal = refusals[job->id] =
            needs_expected_start(start, config_) ? refusal_of(view, *job) : Refusal{};
        if (job->virtually_malleable)
            refusal.startable = largest_startable(view, *job, start);
        return true;
    }
    ++counters_.starts;
    counters_.backfilled += start.backfilled;
    counters_.folded_starts += start.mpl > 1;
    after_start(start, started);
    return true;
}

Refusal Scheduler::refusal_of(const View &view, const JobView &job) const {
    const auto expected = vmall_expected_start(job.id);
    Refusal refusal;
    if (expected > view.now)
        refusal.expected = expected;
    return refusal;
}

// Cores alone may not be what a job waits for that others are to be folded for.
bool Scheduler::folds_in_vain(const View &view, const std::vector<policy::Action> &actions,
                              Refusals &refusals) {
    std::set<policy::JobId> served;
    for (const policy::Action &action : actions)
        if (const auto *resize = std::get_if<policy::Resize>(&action);
            resize && resize->makes_room_for)
            served.insert(*resize->makes_room_for);
    for (const policy::JobId id : served) {
        const JobView *job = waiting_job(view, id.value);
        const LockToAct lock;
        const OpenGate gate(gate_);
        if (job && !starts_after_folds(view, ledger_, *job, actions, config_.policy.max_mpl)) {
            log_debug("nobody is folded for " + job_name(job->id) + ", which would not start");
            refusals[job->id] = refusal_of(view, *job);
            return true;
        }
    }
    return false;
}

void Scheduler::after_start(const policy::Start &start, JobNumber started) {
    const View view = look_at_job(started, config_.fold_gres);
    const JobView *job = running_job(view, started);
    if (!job)
        return;
    LedgerEntry &entry = ledger_.of(*job);
    entry.backfilled = start.backfilled;
    entry.window_end = start.window_end;
    log_info("started " + job_name(job->id) + " on " +
             std::to_string(policy::cores_of(job->allotment)) + " cores, " +
             std::to_string(job->tasks) + " processes" +
             (start.mpl > 1 ? ", folded, MPL " + std::to_string(start.mpl) : "") +
             (start.backfilled ? ", backfilled" : ""));
    if (job->virtually_malleable && !job->nodes_booting)
        resizer_.announce(view, *job);
}

// Where folding makes no room for it, Slurm may. It chooses whom to preempt when it is asked for a
// start, and refuses the start until they have ended.
void Scheduler::preempt(const View &view, const std::vector<policy::Action> &actions) {
    if (!view.preemption)
        return;
    Refusals refusals;
    const LockToAct lock;
    if (const JobView *job = first_that_may_preempt(view, actions))
        start(view, smallest_start(*job, 1), refusals);
}

void Scheduler::requeue(const View &view, const policy::Requeue &requeue) {
    const JobView *job = running_job(view, requeue.id.value);
    LedgerEntry *entry = ledger_.find(requeue.id.value);
    if (!job || !entry)
        return;
    const LockToAct lock;
    if (const int error = vmall_requeue_job(job->id)) {
        log_info("cannot requeue " + job_name(job->id) + ": " + vmall_error_text(error));
        entry->retry_at = view.now + config_.resize_retry_interval;
        return;
    }
    ++counters_.requeues;
    ++counters_.windows_expired;
    log_info("requeued " + job_name(job->id) + ", its window has expired");
}

bool Scheduler::resize(const View &view, const policy::Resize &resize) {
    const JobView *job = running_job(view, resize.id.value);
    if (!job || !job->virtually_malleable)
        return false;
    if (policy::cores_of(resize.target) > policy::cores_of(job->allotment)) {
        const LockToAct lock;
        return resizer_.unfold(*job, resize.target);
    }
    resizer_.fold(view, *job, resize.target);
    return false;
}

void Scheduler::tell_why(const View &view, const std::vector<policy::Action> &actions) {
    std::map<JobNumber, std::string> why;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action))
            why[wait->id.value] = policy::in_words(wait->why);
    const LockToAct lock;
    for (const JobView &job : view.queue)
        if (const auto found = why.find(job.id); job.virtually_malleable && found != why.end())
            vmall_set_wait_reason(job.id, &job == &view.queue.front(), found->second.c_str());
}

void Scheduler::save_state() {
    std::string state = ledger_.saved();
    if (state == saved_state_)
        return;
    try {
        write_state(state_path_, state);
        saved_state_ = std::move(state);
    } catch (const std::exception &error) {
        log_error(std::string("cannot save state: ") + error.what());
    }
}

} // namespace vmall::sched
