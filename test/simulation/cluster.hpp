// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld, two nodes and the network between them, and what can happen to them.
#pragma once

#include "controller.hpp"
#include "network.hpp"
#include "node.hpp"
#include "oracle.hpp"
#include "slurm.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vmall::simulation {

enum class Event {
    pass,
    deliver,
    order,
    go_on,
    time,
    submit,
    add_step,
    recheck,
    program,
    slurm_saves,
    slurm_starts,
    end_step,
    end_job,
    register_node,
    start_controller,
    start_agent,
    leftovers,
    reserve,
    // faults from here on
    requeue,
    suspend_or_resume,
    lose,
    repeat,
    kill_controller,
    kill_agent,
    hang_or_wake,
    kill_stepd,
    accounting,
    set_clock,
};
inline constexpr int event_count = static_cast<int>(Event::set_clock) + 1;

const char *name_of(Event event);
// How often it is to happen, relative to others.
int weight_of(Event event);
inline bool is_fault(Event event) {
    return event >= Event::requeue;
}

class Cluster {
  public:
    // Nodes with cpusets or without. Slurm gives out cores of nodes that have not registered yet if
    // they have jobs, or does not.
    Cluster(bool makes_cpusets, bool holders_respond);
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;
    ~Cluster();

    // Nothing happens if it cannot. Throws Violation.
    void happen(Event event, Random chances);
    // Without any more faults everything comes to rest, or that is a violation.
    void come_to_rest();

  private:
    void pass(Random &chances);
    void deliver(Random &chances);
    void deliver(std::size_t letter, Random chances, std::optional<int> calls_until_killed);
    void take_order(Random &chances);
    void go_on(Random &chances);
    void submit(Random &chances);
    void start_by_slurm(Random &chances);
    void end_job(Random &chances, bool starts_again);
    void suspend_or_resume(Random &chances);
    void start_controller();
    void kill_controller(Random &chances);
    void hear_of_epilogs();
    void pass_time(std::chrono::milliseconds time);
    void tick();
    std::optional<std::string> what_is_not_at_rest() const;
    Job *some_job(Random &chances, JobState state);
    Node &some_node(Random &chances) { return nodes_[chances.below(nodes_.size())]; }

    Slurm slurm_;
    Network network_;
    std::vector<Node> nodes_;
    std::optional<std::string> ledger_file_;
    std::unique_ptr<Controller> controller_;
    Oracle oracle_;
};

} // namespace vmall::simulation
