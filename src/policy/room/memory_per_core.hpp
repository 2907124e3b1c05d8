// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory by core: of the nodes, and of the jobs that wait and run there.
#pragma once

#include "policy/model.hpp"

#include <cstddef>

namespace vmall::policy {

// MiB of each core of a job that is unfolded on so many nodes.
double memory_per_core(const WaitingJob &job, std::size_t nodes);
double memory_per_core(const RunningJob &job);

class MemoryPerCore {
  public:
    void add(const Node &node);
    void add(const WaitingJob &job);
    void add(const RunningJob &job);

    // Whether a job that needs as much as these do on the mean finds memory for the cores that one
    // gives back which needs so much for each of its own; and two of the mean beside each other, or
    // else most of those that start on such cores keep their memory from who is to have it. Where
    // memory is not counted, and beside a job that needs none, it is left.
    bool is_left_beside(double needed) const;

  private:
    struct Mean {
        double memory = 0;
        double cores = 0;

        double value() const { return cores > 0 ? memory / cores : 0; }
    };

    Mean of_nodes_; // where it is counted
    Mean of_jobs_;
};

MemoryPerCore memory_per_core(const Snapshot &snapshot);

} // namespace vmall::policy
