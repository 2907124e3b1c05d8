// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long one step of an application takes on a rectangle when its threads do not all compute
// equally long (McCann's thesis, eq. 5.2 and s. 5.2.2).
#pragma once

#include "experiments/mesh/policy/efficiency.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace vmall::sim::mesh {

class StepTimes {
  public:
    // Threads compute from U(t - spread, t + spread) seconds, anew in every step. With a spread
    // above 0 (no more than t), times are means over this many random steps, as in the thesis; the
    // same seed gives the same times, whatever is asked for first.
    StepTimes(const policy::mesh::Mesh &mesh, const policy::mesh::Environment &environment,
              double spread = 0, std::uint64_t seed = 1, int samples = 200);

    // Seconds of one step on rows x columns processors. Remembered: not for several threads.
    double operator()(int rows, int columns, policy::mesh::Mapping mapping);

    // On the whole machine.
    double alone() {
        return (*this)(mesh_.rows(), mesh_.columns(), policy::mesh::Mapping::contraction);
    }

    const policy::mesh::Mesh &mesh() const { return mesh_; }
    const policy::mesh::Environment &environment() const { return environment_; }

  private:
    double mean_of_longest(int rows, int columns, policy::mesh::Mapping mapping) const;

    policy::mesh::Mesh mesh_;
    policy::mesh::Environment environment_;
    double spread_;
    std::uint64_t seed_;
    int samples_;
    std::map<std::tuple<int, int, policy::mesh::Mapping>, double> known_;
};

} // namespace vmall::sim::mesh
