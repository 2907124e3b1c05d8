// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld's nodes and jobs at one moment, copied out so that nothing is decided under its locks.
#pragma once

#include "config/job_request.hpp"
#include "plugins/cores/core_choice.hpp"
#include "plugins/cores/malleability.hpp"
#include "policy/model.hpp"

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vmall::sched {

using JobNumber = std::uint32_t;  // Slurm's job id
using NodeNumber = std::uint32_t; // Slurm's node index
using StepId = std::uint32_t;     // of one job
using CoreSets = std::map<NodeNumber, cores::Cores>;

struct NodeView {
    std::string name;
    std::string address;
    int slurmd_port = 0;
    std::uint32_t cores_per_socket = 1;
    int threads_per_core = 1;
    bool registered = false; // since slurmctld started
    bool switched_off = false;
    bool down = false; // not expected to register before long
    bool usable = false;
    int cores = 0;            // that jobs may use at all
    std::uint64_t memory = 0; // MiB, likewise
};

// MiB that a waiting job asks for; 0: none, or Slurm does not count it.
struct MemoryRequest {
    std::uint64_t of_each_cpu = 0;
    std::uint64_t of_each_node = 0; // more than a node has: all of it
};

enum class JobState { waiting, running, suspended, completing };

// A step that has a time limit of its own.
struct StepView {
    std::int64_t limit_in_slurm = 0; // in minutes
    policy::Seconds ran = 0;         // without those that it was suspended
};

struct JobView {
    JobNumber id = 0;
    std::uint32_t user_id = 0;
    std::string name;
    std::string partition;
    std::string qos;       // empty: none
    std::string account;   // empty: none
    std::int64_t tier = 0; // by PriorityTier of the partition, then by priority of the QOS
    JobState state = JobState::waiting;
    policy::Seconds submitted = 0;
    policy::Seconds waits_since = 0; // for cores: not held, nor before --begin or for other jobs
    policy::Seconds started = 0;     // 0: Slurm has forgotten it, of a run that is completing
    std::uint32_t run = 0;           // how often it was requeued; not of a completing job
    policy::Seconds time_limit = 0;  // of work; no limit: a year, the longest anybody plans for
    std::int64_t limit_in_slurm = 0; // in minutes, for what the work takes; 0: none
    std::map<StepId, StepView> step_limits;
    policy::Seconds suspended = 0; // of the time since it started
    // Until when it may run whatever its limit, and for how long by the site's limits.
    std::optional<policy::Seconds> deadline;
    std::optional<policy::Seconds> reserved; // others need its nodes from then on
    std::optional<policy::Seconds> reservation_ends;
    std::optional<policy::Seconds> partition_limit;
    std::optional<policy::Seconds> qos_limit;
    int tasks = 1;
    int cpus_per_task = 1;
    int threads_per_core = 0; // that it uses at most; 0: all
    int cores_per_task = 1;   // on its nodes, or on most of those that it may start on
    int min_nodes = 1;
    int max_nodes = 0;
    int tasks_per_node = 0;             // at most; 0: that is left open
    bool any_spread = false;            // waiting, virtually malleable: wherever there is room
    std::map<NodeNumber, int> tasks_on; // not waiting; empty: equally many on each node
    int min_cpus = 1;
    bool whole_nodes = false;          // it asks for
    bool gres = false;                 // it has some
    JobNumber het_job = 0;             // only Slurm starts those, all components at once; 0: none
    std::uint32_t het_components = 0;  // that it has
    policy::Seconds planned_start = 0; // by Slurm; 0: it has not planned it
    bool configuring = false;
    bool nodes_booting = false; // `started` will be set anew when they are up
    bool has_steps = false;
    bool record_can_end = true;       // accounting can take a resize now
    policy::Seconds cores_since = 0;  // when it began to hold what it does
    bool virtually_malleable = false; // as select/cons_tres_vmall's gate has it
    bool by_default = false;          // without having asked: never folded unless it is served
    std::string refusal;              // for the log, if it asked to be and is not; else empty
    config::JobRequest request;
    policy::NodeSet eligible;
    MemoryRequest memory;
    std::map<NodeNumber, std::uint64_t> memory_held; // MiB, not waiting; empty: not counted
    policy::CoreCounts allotment;                    // how many cores it holds
    CoreSets cores; // which; look() tells only of virtually malleable jobs

    bool lends_whole_nodes() const { return whole_nodes && virtually_malleable; }
};

// Of a job that is not virtually malleable.
int cpus_asked_for(const JobView &job);

// Whole cores of this kind, for the CPUs of a task.
int cores_for_task(const JobView &job, int threads_per_core);

// Seconds of a run, but for those that it was suspended.
policy::Seconds time_run(const JobView &job, policy::Seconds now);

// RunningJob::unfolded of a job that has these nodes.
policy::CoreCounts unfolded_on(const JobView &job, const policy::CoreCounts &nodes);

// Of a virtually malleable job that holds these cores.
int mpl_on(const JobView &job, const policy::CoreCounts &cores);

// Process counts that a virtually malleable job may be started with.
policy::Sizes accepted_sizes(const JobView &job);

struct View {
    cores::Rules rules;         // as vmall.conf has them
    bool preemption = false;    // slurm.conf lets jobs preempt others
    policy::Seconds now = 0;    // by the clock on the wall, which may be set
    policy::Seconds steady = 0; // by one that only goes on; what is tried again goes by it
    bool may_schedule = true;   // slurmctld itself does
    boost::container::flat_map<NodeNumber, NodeView> nodes;
    std::vector<JobView> queue;          // the head first
    std::map<JobNumber, JobView> active; // running, suspended, completing
    // Why no job may be resized or started folded, from Slurm's settings; empty: they may.
    std::string contradiction;
};

// As View::steady.
policy::Seconds steady_seconds();

// Null: it is not there, or does not wait or run any more.
const JobView *waiting_job(const View &view, JobNumber id);
const JobView *running_job(const View &view, JobNumber id);

} // namespace vmall::sched
