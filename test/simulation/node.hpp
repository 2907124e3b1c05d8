// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmd with its slurmstepds, and the real agent, which may be killed at any of its system calls.
#pragma once

#include "slurm.hpp"
#include "spank_vm/agent/jobs.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vmall::simulation {

// A slurmstepd's way from its start to running tasks.
enum class Stage { registering, making_cpusets, making_tasks, telling_launched, placing, running };

struct Step {
    Job job; // as it was when the step was asked for
    std::uint32_t number = 0;
    Stage stage = Stage::registering;
    std::chrono::milliseconds since{}; // it was started
    pid_t stepd = 0;
    bool is_lost = false; // its slurmstepd was killed
    bool is_attached = false;
    bool is_unheard = false; // no agent was there: it runs where Slurm had the job when it began
};

class Node {
  public:
    Node(NodeIndex index, std::uint32_t core_count, bool makes_cpusets);

    const NodeIndex index;
    Machine machine;
    bool is_hung = false;
    std::vector<Step> steps;
    std::map<Start, std::chrono::milliseconds> over; // when their epilog ended here
    std::vector<std::pair<JobId, Start>> epilogs;    // of which slurmctld is to hear
    std::vector<JobId> rechecks;                     // that the agent is to do soon

    bool has_agent() const { return agent_ != nullptr; }
    void start_agent(Random chances, std::optional<int> calls_until_killed);
    void kill_agent();
    // To a target or a roll call; nothing if it is killed meanwhile. A target that `is_late` is of
    // a run that has ended here since it was sent.
    std::optional<std::string> answer(const std::string &question, bool is_late, Random chances,
                                      std::optional<int> calls_until_killed);
    // Whether the agent was told that there is this run of the job, and so can tell when it is
    // over.
    bool knows_run_of(const Job &job) const;
    void recheck(Random chances);
    void look_for_leftovers();

    bool can_take(const Order &order) const;
    void take(const Order &order, Random chances, std::optional<int> calls_until_killed);
    void go_on(Step &step, Random chances, std::optional<int> calls_until_killed);
    void end(std::size_t step);
    void kill_stepd(Step &step);
    std::set<JobId> present() const;

    // Whether the agent refuses all targets of the job, for good reason: a step is unattached,
    // nobody knows who is left of one, or another job with its number is here.
    bool refuses(const Job &job) const;
    // Whether its slurmstepd was killed before the agent knew its job, or found no agent, or its
    // cpuset is also that of a later step, to which slurmctld gave the number again.
    bool has_lost_sight_of(const Process &process) const;
    // What the agent has of the job on disk; nothing: none.
    std::optional<agent::JobState> state_of(JobId job) const;

  private:
    // False if the agent is killed meanwhile, or is not there.
    template <typename Work>
    bool with_agent(Random chances, std::optional<int> calls_until_killed, const Work &work);
    std::optional<std::string> answer_to_local(const std::string &request, pid_t peer,
                                               Random chances,
                                               std::optional<int> calls_until_killed);
    void launch(const Order &order);
    void end_all_of(JobId job, Random chances, std::optional<int> calls_until_killed);
    void attach(Step &step, Random chances, std::optional<int> calls_until_killed);
    void tell_launched(Step &step, Random chances, std::optional<int> calls_until_killed);
    void place(Step &step);
    static void place(pid_t task, JobId job);
    std::string allotment_of(JobId job) const;

    std::unique_ptr<agent::Jobs> agent_;
    std::map<JobId, std::uint32_t> told_runs_; // this agent, the last one of each job
    std::map<JobId, std::uint64_t> revoked_;   // launches before this order
};

} // namespace vmall::simulation
