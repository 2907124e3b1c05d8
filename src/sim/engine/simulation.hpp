// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way; simulate.hpp has its rules.
#pragma once

#include "policy/cost/learned_cost.hpp"
#include "policy/overruns.hpp"
#include "policy/scheduler.hpp"
#include "sim/engine/cluster.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/engine/submission.hpp"

#include <cstdint>
#include <map>

namespace vmall::sim {

// A job that waits to be resumed, as it was then.
struct Suspended {
    policy::RunningJob job;
    Live live;
};

class Simulation {
  public:
    Simulation(const Workload &workload, const Machine &machine, const Options &options,
               Progress &progress);

    // Once.
    Outcome run();

  private:
    // To the next time at which something happens; false if nothing does any more.
    bool advance();
    // What happens at this time. True: the policy has to be asked.
    bool let_things_happen();
    bool handle(const Event &event);
    void enqueue(std::uint32_t index);
    void enqueue(policy::WaitingJob job);
    // True: it decided something.
    bool decide();

    void carry_out(const policy::Start &start);
    void carry_out(const policy::Resize &resize);
    void carry_out(const policy::Requeue &requeue);
    void carry_out(const policy::Kill &kill);
    void carry_out(const policy::Suspend &suspend);
    void carry_out(const policy::Resume &resume);
    void carry_out(const policy::Wait &wait);

    // A running job is known by its index in cluster.live.
    void finish(std::size_t index);
    void confirm(std::size_t index);
    void begin_to_leave(policy::JobId id, Leave leave);
    void leave(std::size_t index);
    void put_aside(std::size_t index);
    // After it was started or resumed.
    void set_going(policy::RunningJob job, Live live);
    void look(std::size_t index);
    void measure_speedup(std::size_t index);
    // Its work done and cores held until now.
    void bring_up_to_date(std::size_t index);
    // Of all jobs, by what those that run show.
    void note_likely_work();
    policy::Seconds likely_work(policy::JobId id, policy::Seconds estimate) const;
    // For the policy, of all that run, and of one of them.
    void note_lost_time();
    void note_lost_time(std::size_t index);
    // It has just given cores back.
    void note_fold(std::size_t index);
    Milliseconds time_run(std::size_t index) const;
    Milliseconds until_next_fold(std::size_t index) const;
    // To which it may be folded now.
    int max_mpl(std::size_t index) const;
    int mpl_within_limit(const Live &live) const;
    // It runs on what it has now, and will end then.
    void take_shape(std::size_t index);
    void throw_work_away(std::size_t index);
    void measure_later(std::size_t index);
    void look_again(std::size_t index, policy::Seconds time);
    void look_when_estimate_passes(std::size_t index);

    const Workload &workload_;
    const Options options_;
    Progress &progress_;
    const Extent extent_;
    policy::Scheduler scheduler_;
    policy::LearnedCost folding_cost_;
    policy::Overruns overruns_;
    std::vector<policy::UserId> users_; // of the jobs of the workload; 0: not known
    Cluster cluster_;
    std::map<std::uint32_t, Suspended> suspended_; // by index in the workload
    EventQueue events_;
    Random noise_; // of measurements
    Outcome outcome_;
    Milliseconds now_ = 0;
    std::size_t arrived_ = 0;      // jobs of the workload
    std::uint64_t last_stamp_ = 0; // of an event
};

} // namespace vmall::sim
