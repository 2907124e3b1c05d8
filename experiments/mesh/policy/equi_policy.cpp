// SPDX-License-Identifier: GPL-2.0-or-later
//
// EQUI and EQUI+ (McCann's thesis, s. 4.3): the mesh is divided anew whenever a job comes or goes.
//
// Which job gets which partition is left open by the thesis. Here the jobs keep their order: a new
// one is last, and those behind one that leaves move up.
#include "experiments/mesh/policy/equipartition.hpp"
#include "experiments/mesh/policy/partitioner.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::policy::mesh {

namespace {

class Equipartition : public Partitioner {
  public:
    Equipartition(const Mesh &mesh, Mapping mapping) : mesh_(mesh), mapping_(mapping) {}

    std::vector<Reallocation> arrive(JobId job) override {
        if (find(job) != holdings_.end())
            throw std::invalid_argument("the job is running already");
        if (static_cast<int>(holdings_.size()) == mesh_.processors())
            throw std::invalid_argument("every processor has a job");
        holdings_.push_back({job, {}});
        return divide();
    }

    std::vector<Reallocation> depart(JobId job) override {
        const auto leaving = find(job);
        if (leaving == holdings_.end())
            throw std::invalid_argument("the job is not running");
        holdings_.erase(leaving);
        return divide();
    }

    std::vector<Occupancy> holdings() const override { return holdings_; }
    Mapping mapping() const override { return mapping_; }

  private:
    std::vector<Occupancy>::iterator find(JobId job) {
        return std::find_if(
            holdings_.begin(), holdings_.end(),
            [job](const Occupancy &holding) { return holding.job == job; });
    }

    std::vector<Reallocation> divide() {
        std::vector<Reallocation> moves;
        if (holdings_.empty())
            return moves;
        const auto partitions = equipartition(mesh_, static_cast<int>(holdings_.size()));
        for (std::size_t i = 0; i < partitions.size(); i++) {
            Occupancy &holding = holdings_[i];
            if (holding.rectangle != partitions[i]) {
                moves.push_back({holding.job, holding.rectangle, partitions[i]});
                holding.rectangle = partitions[i];
            }
        }
        return moves;
    }

    Mesh mesh_;
    Mapping mapping_;
    std::vector<Occupancy> holdings_;
};

} // namespace

std::unique_ptr<Partitioner> make_equipartition(const Mesh &mesh, Mapping mapping) {
    return std::make_unique<Equipartition>(mesh, mapping);
}

} // namespace vmall::policy::mesh
