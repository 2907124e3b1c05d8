// SPDX-License-Identifier: GPL-2.0-or-later
//
// Look, decide, act, confirm.
#include "plugins/sched_fjt/scheduler_thread.hpp"

#include "common/files.hpp"
#include "common/owned_text.hpp"
#include "plugins/cores/malleability.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/sched_fjt/see/memory.hpp"
#include "plugins/sched_fjt/start/waiting_jobs.hpp"
#include "policy/scheduler.hpp"
#include "wire/installation.hpp"

#include "vmall_config.h"

#include <slurm/slurm.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <pthread.h>

namespace vmall::sched {

namespace {

constexpr std::size_t highest_state_bytes = 1 << 28;

// Slurm refuses starts that the policy thinks possible (licences, memory, …); the policy is asked
// again with what was learnt, but not for ever: on a large machine each round takes long, and what
// has been seen of the queue grows old. With what comes after it, a pass takes no longer than
// Slurm's main loop may (max_sched_time).
constexpr int highest_rounds = 50;
constexpr std::chrono::milliseconds longest_rounds{1600};

// Slurm itself backfills jobs that did not ask as soon as it can. To ask it for each of them again
// in each pass would leave no time for those that it does not start.
constexpr policy::Seconds refusals_last = 60;

// Rest between passes, so that others get slurmctld's locks. After a pass that started nothing: so
// many times as long as it held them, and no less than it took. After one that started jobs: as
// long as it took, up to a second.
constexpr int rest_after_a_look = 9;
constexpr std::uint64_t longest_rest_after_starts = 1000000; // microseconds

std::string munge_socket(const config::Config &config) {
    return config.munge_socket.empty() ? common::taken(vmall_munge_socket()) : config.munge_socket;
}

// Where nobody is virtually malleable, Slurm's own schedulers decide. They start none that asked:
// while slurm.conf contradicts, and nobody is, this one starts them.
policy::Settings settings_for(const View &view, policy::Settings settings) {
    settings.only_malleable_pools = view.contradiction.empty();
    return settings;
}

Viewer viewer(uid_t user) {
    if (vmall_sees_jobs_of_everybody(user))
        return {};
    return {user, [user](const std::string &account) {
                return vmall_sees_jobs_of(user, account.c_str());
            }};
}

constexpr std::chrono::milliseconds longest_while_calling_roll{100};

// A step that starts in a folded job has a minute at least, which it must not be ended for.
constexpr std::chrono::seconds longest_with_folded_jobs{20};

void tell_old_settings_stay(const std::string &why) {
    log_error(why + "; the old settings stay");
}

} // namespace

SchedulerThread::SchedulerThread(const select::Gate &gate, std::string config_path)
    : gate_(gate), live_config_(std::move(config_path), *gate.last_read),
      config_(live_config_.get()),
      state_path_(common::taken(vmall_state_save_location()) + "/vmall_jobs"),
      ledger_(std::time(nullptr)),
      history_(common::taken(vmall_state_save_location()) + "/vmall_history", config_),
      messenger_(munge_socket(config_), [this] { waker_.wake(); }),
      resizer_(ledger_, messenger_, counters_), roll_caller_(ledger_, config_, Clock::now()),
      starter_(gate_, config_, ledger_, resizer_, counters_), preemption_(gate_, config_, starter_),
      actor_(gate_, config_, ledger_, starter_, resizer_, counters_),
      books_(ledger_, counters_, [this] { waker_.wake(); }),
      time_limits_(ledger_, std::time(nullptr)),
      query_server_(
          config_.control_port, munge_socket(config_),
          [this](const wire::Query &query, uid_t asker) { return answer(query, asker); },
          [this](const std::string &line) {
              if (const auto admitted = unanswered_.admit("query: " + line))
                  log_debug(*admitted);
          },
          [](const std::string &why) { log_error("no more queries are answered: " + why); }) {
    if (!live_config_.complaint().empty())
        tell_old_settings_stay(live_config_.complaint());
    resizer_.configure(config_);
    gate_.go_by(cores::rules_of(config_));
    if (const auto state = common::read_file(state_path_, highest_state_bytes)) {
        try {
            ledger_.restore(*state);
        } catch (const std::exception &error) {
            log_error(state_path_ + ": " + error.what() + "; starting without it");
        }
    }
    warnings_.tell_parameters();
    warnings_.tell_policy(config_.policy);
    warnings_.tell_ports(config_);
    warnings_.tell_surveys(config_);
    thread_ = std::thread([this] { run(); });
}

SchedulerThread::~SchedulerThread() {
    waker_.stop();
    thread_.join();
}

void SchedulerThread::run() noexcept {
    pthread_setname_np(pthread_self(), "sched_fjt"); // for top -H, as Slurm does with its threads
    std::chrono::microseconds rest{0};
    for (;;) {
        const Waker::Reasons reasons = waker_.wait(longest_sleep(), rest);
        if (reasons.stop)
            return;
        try {
            if (reasons.reconfigure) {
                read_config_again();
                warnings_.tell_parameters();
            }
            take_settings();
            if (vmall_is_at_work())
                rest = timed_pass();
            else
                waker_.wake();
        } catch (const std::exception &error) {
            log_error(std::string("scheduling pass: ") + error.what());
            let_slurm_go_on();
        }
    }
}

// Ordinary jobs do not wait for a first pass that fails.
void SchedulerThread::let_slurm_go_on() {
    if (!closed_nodes_)
        close_nodes({});
}

// In the thread of the query server.
std::string SchedulerThread::answer(const wire::Query &query, uid_t asker) {
    if (query.ask == wire::Ask::set)
        change_settings(query.settings, asker);
    if (query.ask == wire::Ask::set || query.ask == wire::Ask::config)
        return wire::encode(live_config_.rows());
    if (query.ask == wire::Ask::installation)
        return wire::encode(wire::Installation{
            PACKAGE_VERSION, wire::slurm_release(SLURM_VERSION_NUMBER), live_config_.rows()});
    if (query.ask == wire::Ask::history)
        return history_.answer(query, viewer(asker));
    return status_.answer(query, viewer(asker));
}

void SchedulerThread::change_settings(const std::vector<wire::Setting> &settings, uid_t asker) {
    const std::string user = "user " + std::to_string(asker);
    if (!vmall_is_operator(asker)) {
        if (const auto line = refused_changes_.admit(user + " may not change settings"))
            log_info(*line);
        throw std::runtime_error("only operators of Slurm may change settings");
    }
    live_config_.change(settings);
    for (const wire::Setting &setting : settings)
        log_info(user + " sets " + setting.key + "=" + setting.value);
    waker_.wake();
}

void SchedulerThread::read_config_again() {
    try {
        live_config_.read_again();
        log_info("read " + live_config_.path());
    } catch (const config::ConfigError &error) {
        tell_old_settings_stay(error.what());
    }
}

void SchedulerThread::take_settings() {
    config::Config fresh = live_config_.get();
    if (fresh.control_port != config_.control_port)
        log_info("ControlPort changes when slurmctld is restarted");
    config_ = std::move(fresh);
    resizer_.configure(config_);
    gate_.go_by(cores::rules_of(config_));
    warnings_.tell_policy(config_.policy);
    warnings_.tell_ports(config_);
    warnings_.tell_surveys(config_);
}

std::chrono::microseconds SchedulerThread::timed_pass() {
    const LockTimes before = lock_times;
    const std::uint64_t starts = counters_.starts;
    const WorkTime time;
    pass();
    const std::uint64_t took = time.microseconds();
    counters_.pass_microseconds += took;
    counters_.pass_longest_microseconds = std::max(counters_.pass_longest_microseconds, took);
    counters_.locked_microseconds = lock_times.locked;
    counters_.locked_longest_microseconds = lock_times.longest_locked;
    const std::uint64_t locked = lock_times.locked - before.locked;
    return std::chrono::microseconds(counters_.starts > starts
                                         ? std::min(took, longest_rest_after_starts)
                                         : std::max(rest_after_a_look * locked, took));
}

std::chrono::milliseconds SchedulerThread::longest_sleep() const {
    if (roll_caller_.is_waiting())
        return longest_while_calling_roll;
    const std::chrono::seconds interval(config_.schedule_interval);
    return ledger_.anybody_is_folded() ? std::min(interval, longest_with_folded_jobs) : interval;
}

void SchedulerThread::pass() {
    const TimeLimit limit(longest_rounds);
    ++counters_.passes;
    resizer_.conclude();
    View view = look(cores::rules_of(config_));
    ledger_.mark(view);
    warnings_.tell_contradiction(view.contradiction);
    warnings_.tell_names(config_);
    books_.close(view.now, ledger_.keep_only(view.active));
    if (time_limits_.look(view)) {
        save_state();
        time_limits_.tell();
    }
    ledger_.learn(view);
    call_roll(view);
    resizer_.retry(view);
    if (view.may_schedule && roll_caller_.is_over()) {
        raise_requests(view);
        decide_and_act(view, limit);
    }
    resizer_.survey(view);
    books_.keep(view, config_);
    lending_.look(view, ledger_);
    counters_.core_seconds_lent = lending_.lent();
    counters_.core_seconds_lost = lending_.lost();
    counters_.cores_without_memory = without_memory_.cores;
    counters_.core_seconds_without_memory = without_memory_.core_seconds(view.steady);
    status_.publish(view, ledger_, counters_, config_);
    save_state();
    history_.keep(ledger_.take_happenings(), view, config_);
}

void SchedulerThread::call_roll(View &view) {
    messenger_.call_roll(roll_caller_.look(view, messenger_.take_rolls(), Clock::now()),
                         std::chrono::milliseconds(config_.agent_timeout_ms));
    std::vector<NodeNumber> unchecked = roll_caller_.unchecked(view);
    if (unchecked != closed_nodes_)
        close_nodes(std::move(unchecked));
    leave_out_closed_nodes(view);
}

// Nothing is planned where it would not be started.
void SchedulerThread::leave_out_closed_nodes(View &view) const {
    for (const NodeNumber number : *closed_nodes_)
        if (const auto node = view.nodes.find(number); node != view.nodes.end())
            node->second.usable = false;
}

void SchedulerThread::close_nodes(std::vector<NodeNumber> nodes) {
    const bool opens_some =
        !closed_nodes_ ||
        !std::includes(nodes.begin(), nodes.end(), closed_nodes_->begin(), closed_nodes_->end());
    closed_nodes_ = nodes;
    {
        const LockToAct lock;
        gate_.close_nodes(std::move(nodes));
    }
    if (opens_some)
        vmall_let_slurm_schedule();
}

void SchedulerThread::decide_and_act(View &view, const TimeLimit &limit) {
    const std::uint64_t starts = counters_.starts;
    const policy::Settings settings = settings_for(view, config_.policy);
    keep_refusals(view);
    for (int round = 1;; ++round) {
        const policy::Snapshot seen = snapshot(view, ledger_, config_, refusals_, promises_);
        const auto actions = policy::decide(seen, settings);
        promises_ = promises(actions);
        const bool changed = actor_.act(view, actions, refusals_, limit);
        if (!changed || round == highest_rounds || limit.is_up()) {
            if (!changed)
                preemption_.preempt(view, actions);
            else if (counters_.starts > starts)
                waker_.wake(); // more may start, after a rest
            auto told = with_memory_told(view, actions);
            forecast_.tell(seen, settings, view.steady, told);
            without_memory_.change(cores_without_memory(seen, told), view.steady);
            tell_why(view, told, gate_);
            status_.note_memory(policy::memory_per_core(seen));
            status_.publish_queue(view, told, config_);
            return;
        }
        look_again(view);
        leave_out_closed_nodes(view);
        ledger_.mark(view);
        time_limits_.show_work(view);
    }
}

void SchedulerThread::keep_refusals(const View &view) {
    for (auto known = refusals_.begin(); known != refusals_.end();) {
        const JobView *job = waiting_job(view, known->first);
        const auto &at = known->second.backfilled_at;
        const bool holds =
            job && !job->virtually_malleable && at && view.steady < *at + refusals_last;
        known = holds ? std::next(known) : refusals_.erase(known);
    }
}

void SchedulerThread::save_state() {
    std::string state = ledger_.saved();
    if (state == saved_state_)
        return;
    try {
        common::replace_file(state_path_, state, 0600, common::Survives::loss_of_power);
        saved_state_ = std::move(state);
    } catch (const std::exception &error) {
        log_error(std::string("cannot save state: ") + error.what());
    }
}

} // namespace vmall::sched
