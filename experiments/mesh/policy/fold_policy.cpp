// SPDX-License-Identifier: GPL-2.0-or-later
//
// FOLD_I and FOLD_infinity (McCann's thesis, s. 4.4).
#include "experiments/mesh/policy/fold_walk.hpp"
#include "experiments/mesh/policy/partitioner.hpp"

#include <stdexcept>

namespace vmall::policy::mesh {

namespace {

class Folding : public Partitioner {
  public:
    explicit Folding(const Mesh &mesh) : processors_(mesh.processors()), walk_(mesh) {}

    std::vector<Reallocation> arrive(JobId job) override {
        if (walk_.runs(job))
            throw std::invalid_argument("the job is running already");
        if (walk_.jobs() == processors_)
            throw std::invalid_argument("every processor has a job");
        return walk_.arrive(job);
    }

    std::vector<Reallocation> depart(JobId job) override {
        if (!walk_.runs(job))
            throw std::invalid_argument("the job is not running");
        return walk_.depart(job);
    }

    std::vector<Reallocation> rotate() override { return walk_.rotate(); }
    std::vector<Occupancy> holdings() const override { return walk_.holdings(); }

  private:
    int processors_;
    FoldWalk walk_;
};

} // namespace

std::unique_ptr<Partitioner> make_folding(const Mesh &mesh) {
    return std::make_unique<Folding>(mesh);
}

} // namespace vmall::policy::mesh
