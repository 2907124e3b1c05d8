// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld without sched/fjt: its records of jobs, what of them it has saved, and what it has told
// nodes to do. slurmglue is answered from it.
#pragma once

#include "machine.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vmall::simulation {

using JobId = std::uint32_t;
using NodeIndex = std::uint32_t;

enum class JobState { waiting, running, suspended, completing };

struct Job {
    JobId id = 0;
    Start start = 0; // of its present or last run; 0: none yet
    std::uint32_t run = 0;
    uid_t user = 0;
    bool malleable = false;
    int tasks = 1;
    int cores_per_task = 1;
    std::uint32_t node_count = 1;
    JobState state = JobState::waiting;
    bool starts_again = false; // when it has completed
    std::time_t submitted = 0, started = 0;
    std::uint32_t limit = 60;         // minutes
    std::map<NodeIndex, Cores> cores; // while it completes, of nodes whose epilog is to come
    std::map<std::uint32_t, std::set<NodeIndex>> steps;
    std::uint32_t next_step = 0;
};

int tasks_per_node(const Job &job);

// What is on its way from slurmctld to a slurmd.
struct Order {
    enum Kind { launch, terminate, abort } kind = launch;
    NodeIndex node = 0;
    Job job;                  // as it was then
    std::uint32_t step = 0;   // of a launch
    std::uint64_t number = 0; // they may overtake each other
};

struct Records {
    std::map<JobId, Job> jobs;
    JobId last_id = 0;
};

class Slurm {
  public:
    Slurm(NodeIndex nodes, std::uint32_t cores_of_each)
        : node_count(nodes), cores_per_node(cores_of_each) {}

    const NodeIndex node_count;
    const std::uint32_t cores_per_node;

    Records records;
    Records saved;
    bool is_up = true;
    std::set<NodeIndex> registered;
    std::set<NodeIndex> closed; // by select/cons_tres_vmall
    bool accounting_is_away = false;
    bool limits_are_reached = false;     // no job may grow
    std::map<NodeIndex, Cores> reserved; // before long, for others: no job is to grow into these
    bool holders_respond = true;         // where jobs are recorded, before a node has registered
    std::vector<Order> orders;

    void save() { saved = records; }
    // Some of what it has just told nodes is lost with it.
    void kill(Random &chances);
    void start();

    Job *find(JobId id);
    // With the number of a job that has ended, if there is one and it is to be given again.
    Job &submit(uid_t user, bool malleable, std::uint32_t node_count, bool old_number);
    Cores free_cores(NodeIndex node) const;
    // Nodes where so many are free for it; empty: too few.
    std::map<NodeIndex, Cores> room_for(const Job &job, int cores_per_node) const;
    // It has registered, or has jobs in the records, so slurmctld may take it for one that
    // responds.
    bool is_usable(NodeIndex node) const;
    void begin(Job &job, const std::map<NodeIndex, Cores> &cores);
    // Its first step is the script's.
    void add_step(Job &job);
    void end(Job &job, bool starts_again);
    void epilog_is_over(JobId id, Start start, NodeIndex node);
    // With the jobs of which slurmstepds run there. Ends those that it does not know.
    void take_registration(NodeIndex node, const std::set<JobId> &present);

  private:
    void send(Order order);

    Start last_start_ = 0;
    std::uint64_t last_order_ = 0;
};

extern Slurm *slurm; // that slurmglue is answered from

} // namespace vmall::simulation
