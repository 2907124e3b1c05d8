// SPDX-License-Identifier: GPL-2.0-or-later
//
// The scheduler: looks, lets the policy decide, lets the actor act. One thread; everybody else only
// wakes it.
#pragma once

#include "common/log_limit.hpp"
#include "config/config.hpp"
#include "plugins/sched_fjt/account/books.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/history.hpp"
#include "plugins/sched_fjt/account/holding.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/account/lending.hpp"
#include "plugins/sched_fjt/account/time_limits.hpp"
#include "plugins/sched_fjt/actor.hpp"
#include "plugins/sched_fjt/answer/live_config.hpp"
#include "plugins/sched_fjt/answer/status.hpp"
#include "plugins/sched_fjt/decide/forecast.hpp"
#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "plugins/sched_fjt/resize/resizer.hpp"
#include "plugins/sched_fjt/resize/roll_caller.hpp"
#include "plugins/sched_fjt/start/preemption.hpp"
#include "plugins/sched_fjt/start/starter.hpp"
#include "plugins/sched_fjt/waker.hpp"
#include "plugins/sched_fjt/warnings.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "wire/query_server.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace vmall::sched {

class SchedulerThread {
  public:
    // Throws config::ConfigError, wire::ChannelError (the query port is taken) or
    // std::system_error (the state file). `gate` is select/cons_tres_vmall's.
    SchedulerThread(const select::Gate &gate, std::string config_path);
    SchedulerThread(const SchedulerThread &) = delete;
    SchedulerThread &operator=(const SchedulerThread &) = delete;
    ~SchedulerThread(); // ends the thread

    // From any thread, under any lock: something has changed; vmall.conf is to be read again.
    void wake() noexcept { waker_.wake(); }
    void reconfigure() noexcept { waker_.reconfigure(); }

  private:
    void run() noexcept;
    void let_slurm_go_on();
    std::string answer(const wire::Query &query, uid_t asker);
    void change_settings(const std::vector<wire::Setting> &settings, uid_t asker);
    void read_config_again();
    void take_settings();
    std::chrono::microseconds timed_pass(); // how long to rest after it
    void pass();
    std::chrono::milliseconds longest_sleep() const;
    void decide_and_act(View &view, const TimeLimit &limit);
    void call_roll(View &view);
    void leave_out_closed_nodes(View &view) const;
    void close_nodes(std::vector<NodeNumber> nodes);
    void keep_refusals(const View &view);
    void save_state();

    const select::Gate &gate_;
    LiveConfig live_config_;
    config::Config config_; // what the thread goes by, for one pass
    const std::string state_path_;
    std::string saved_state_;
    Warnings warnings_;
    Waker waker_;
    Counters counters_;
    Ledger ledger_;
    History history_;
    Promises promises_;      // forgotten when slurmctld restarts: new ones are made in queue order
    Refusals refusals_;      // of backfilling jobs that did not ask, from pass to pass
    Holding without_memory_; // cores, for want of it
    Forecast forecast_;
    Lending lending_;
    Messenger messenger_;
    Resizer resizer_;
    RollCaller roll_caller_;
    // That select/cons_tres_vmall knows of; nothing: all, or those of an earlier scheduler.
    std::optional<std::vector<NodeNumber>> closed_nodes_;
    Starter starter_;
    Preemption preemption_;
    Actor actor_;
    Books books_;
    TimeLimits time_limits_;
    Status status_;
    common::LogLimit unanswered_;      // queries
    common::LogLimit refused_changes_; // of settings
    wire::QueryServer query_server_;
    std::thread thread_;
};

} // namespace vmall::sched
