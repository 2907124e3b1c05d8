// SPDX-License-Identifier: GPL-2.0-or-later
//
// A policy that gives every running job a rectangle of the mesh at all times (McCann's thesis,
// ch. 4). It knows nothing of a job but that it is there.
#pragma once

#include "experiments/mesh/policy/mapping.hpp"
#include "experiments/mesh/policy/mesh.hpp"
#include "policy/model.hpp"

#include <memory>
#include <vector>

namespace vmall::policy::mesh {

struct Occupancy {
    JobId job;
    Rectangle rectangle;
};

// A running job goes from one rectangle to another; it arrives if `from` is empty.
struct Reallocation {
    JobId job;
    Rectangle from;
    Rectangle to;
};

class Partitioner {
  public:
    virtual ~Partitioner() = default;

    // All answer who was given another rectangle, in the order in which it happens; a job may occur
    // more than once. A job that is not running, or is already, and one job more than there are
    // processors throw std::invalid_argument.
    virtual std::vector<Reallocation> arrive(JobId job) = 0;
    virtual std::vector<Reallocation> depart(JobId job) = 0;

    // Exchanges large and small rectangles, for policies that give unequal ones.
    virtual std::vector<Reallocation> rotate() { return {}; }

    // The rectangles cover the mesh, unless no job runs. Order: the policy's own.
    virtual std::vector<Occupancy> holdings() const = 0;

    virtual Mapping mapping() const { return Mapping::contraction; }
};

// EQUI; EQUI+ with Mapping::snake.
std::unique_ptr<Partitioner> make_equipartition(const Mesh &mesh, Mapping mapping);

// FOLD. How often it rotates is its caller's affair: FOLD_infinity never does.
std::unique_ptr<Partitioner> make_folding(const Mesh &mesh);

} // namespace vmall::policy::mesh
