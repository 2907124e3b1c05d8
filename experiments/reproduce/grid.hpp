// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several policies on several workloads with every seed: what figures of grouped curves compare.
#pragma once

#include "experiments/reproduce/context.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/utrera.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

// Of the jobs of one class under one policy with one seed. Times in seconds.
struct ClassMeans {
    double response = 0;       // from submission to the end
    double wait = 0;           // the response but for the execution
    double execution = 0;      // of the last start: what was aborted before counts as wait
    double wait_deviation = 0; // standard deviation of waits
    double processors = 0;     // held during the execution
    double requeues = 0;       // for each workload
    double expiries = 0;       // windows that something was done about, for each workload
    double wasted = 0;         // processors × seconds thrown away, part of those held
    double slowdown = 0;       // mean of each job's response / that under the first contender
};

struct Means {
    ClassMeans long_jobs, short_jobs, all_jobs;
};

// A workload that the policies are compared on: a load, a burst size.
struct Situation {
    std::string name;
    double x = 0; // on the pictures' axis
    std::function<Workload(std::uint64_t seed)> workload;
};

class Grid {
  public:
    // Each seed stands for `repeats` workloads whose jobs are averaged together, more if a class
    // has no job in them.
    Grid(const Context &context, std::vector<Situation> situations,
         std::vector<Contender> contenders, int repeats);

    const std::vector<Situation> &situations() const { return situations_; }
    const std::vector<Contender> &contenders() const { return contenders_; }

    // By seed. Throws std::out_of_range for a name that it does not have.
    const std::vector<Means> &at(const std::string &situation, const std::string &contender) const;

  private:
    std::vector<Situation> situations_;
    std::vector<Contender> contenders_;
    std::vector<std::vector<Means>> cells_; // situation by situation
};

} // namespace vmall::sim::reproduce
