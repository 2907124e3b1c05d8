// SPDX-License-Identifier: GPL-2.0-or-later
//
// One job on this node: where its processes are, where they may run, and the files that say so.
#pragma once

#include "spank_vm/agent/confine.hpp"
#include "spank_vm/agent/core_map.hpp"
#include "spank_vm/agent/cpusets.hpp"
#include "spank_vm/agent/job_state.hpp"
#include "spank_vm/agent/members.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/runtime_dir.hpp"

#include <chrono>
#include <map>
#include <optional>

namespace vmall::agent {

// What all jobs of the node share.
struct Node {
    std::string name;
    std::string step_socket_dir; // slurmd's spool directory
    spank_vm::RuntimeDir runtime_dir;
    CoreMap core_map;
    Cpusets cpusets;
    config::RuntimeSettings runtime = {}; // of jobs that do not override it
    // A slurmstepd has its socket a little before it registers its step, and tasks a little after.
    std::chrono::milliseconds patience_for_starting_steps{500};
    bool folds_unserved = true; // jobs none of whose tasks here libvmrt can serve
    bool deals_cores = false;   // by itself: no controller says when a job is run anew
};

// Every function throws std::exception; the job is then as it was, as far as the machine lets us.
class Job {
  public:
    // Makes the job's directory and files. `state` is without steps.
    static Job create(const Node &node, std::uint32_t id, JobState state);
    // The job that an earlier agent left, put where its state says that it belongs if it takes
    // part.
    static Job recover(const Node &node, std::uint32_t id);

    const JobState &state() const { return state_; }
    uid_t user() const { return state_.user; }
    const Allotment &allotment() const { return state_.allotment; }
    // What keeps the job on its allotment; nothing: it was not moved yet, and may have no cpuset
    // only because its first step is still being made.
    const std::optional<Confinement> &confinement() const { return confinement_; }

    // The processes of this slurmstepd belong to the job from now on. What the step says of its
    // ranks holds for all ranks of the job here until another step says something else.
    void add_step(const Step &step, const std::optional<spank_vm::Ranks> &ranks);
    // Slurm gave it others than before: whoever deals its cores goes by that.
    void give(const std::vector<std::uint32_t> &cores);
    // A step that was added has its cpusets now: makes them those of the job. Its slurmstepd places
    // the tasks.
    void launched(std::uint32_t step_id);
    // A step was added no longer ago than `patience`, and is not launched yet.
    bool is_launching(std::chrono::milliseconds patience) const;
    // Moves everything of the job, then tells it. Also repairs: the same allotment again is no
    // error. As everybody is then, by the look that found nobody outside.
    ProcessTable apply(const Allotment &allotment);
    // To be called a little after apply(): looks for who escaped it (confine.hpp), if it has moved
    // anybody.
    void recheck();
    // Which ranks of the job are among the processes, and what they did so far. Only advice: none
    // if that cannot be read.
    wire::RankReport ranks(const ProcessTable &processes) const;
    // Whether libvmrt cannot have been loaded into one of its processes here.
    bool has_static_process(const ProcessTable &processes) const;
    // Processes of the job run here, by a look at all, or a slurmstepd of it.
    bool is_here(const ProcessTable &processes) const;
    // Likewise, but for a slurmstepd that has not been added.
    bool has_members(const ProcessTable &processes) const;
    // Some step that was added has its slurmstepd.
    bool has_live_step() const;
    // A slurmstepd of the job runs here without having been added.
    bool has_stray_step() const;
    // It cannot be told who all the members of the job are.
    bool may_miss_members() const;

  private:
    Job(const Node &node, std::uint32_t id, JobState state, spank_vm::ControlFile control);
    JobOnNode on_node() const;
    std::vector<Process> members(const ProcessTable &processes);
    std::vector<Process> members_of_cgroups(const ProcessTable &processes) const;
    ProcessTable move(const Allotment &allotment, const spank_vm::Published &content, Whom whom);
    ProcessTable confine_outsiders(const std::vector<std::uint16_t> &cpus);
    void resize_cpusets(const std::vector<std::uint16_t> &cpus);
    void notify_tasks(const ProcessTable &processes) const;
    void describe_to_programs(const spank_vm::Published &content);
    ProcessTable repair();
    void go_back_to(const Allotment &allotment);
    void save(JobState state);
    void save(const Allotment &allotment, std::vector<Step> steps, const spank_vm::Ranks &ranks);
    std::vector<Step> steps_left() const;
    std::vector<Process> orphans(const ProcessTable &processes) const;
    const Node *node_;
    std::uint32_t id_;
    JobState state_;
    spank_vm::ControlFile control_;
    std::optional<Confinement> confinement_;
    // Put where its state says, and told, by this agent. Else an earlier agent, or a move that
    // failed, may have left it half way.
    bool arrived_ = false;
    bool has_moved_ = false; // threads, since the last recheck()
    std::map<std::uint32_t, std::chrono::steady_clock::time_point> launching_; // step, since when
    Members seen_;                                                             // by the last look
};

} // namespace vmall::agent
