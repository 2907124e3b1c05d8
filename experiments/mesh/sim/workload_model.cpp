// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs of any workload on a mesh.
#include "experiments/mesh/sim/job_model.hpp"
#include "sim/engine/work.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace vmall::sim::mesh {

namespace {

using namespace policy::mesh;

class WorkloadModel : public JobModel {
  public:
    WorkloadModel(const Mesh &mesh, Mapping mapping, const FoldingCost &folding_cost,
                  double relocation)
        : mesh_(mesh), mapping_(mapping), folding_cost_(folding_cost), relocation_(relocation) {}

    int processes(const Job &job) const override {
        const auto largest = job.sizes.largest_up_to(mesh_.processors() / job.cores_per_process);
        if (!job.virtually_malleable || !largest) {
            throw std::invalid_argument("job " + std::to_string(job.id) +
                                        " cannot run on a mesh: it is not virtually malleable, or "
                                        "larger than the machine at every size");
        }
        return *largest;
    }

    int mpl(const Job &job, const Rectangle &on) const override {
        const int threads = processes(job) * job.cores_per_process;
        const int of_whole = most_threads(mesh_, on.rows, on.columns, mapping_);
        return static_cast<int>(
            std::ceil(static_cast<double>(threads) * of_whole / mesh_.processors()));
    }

    double rate(const Job &job, const Rectangle &on) override {
        const int count = processes(job);
        const int cores = std::min(on.processors(), count * job.cores_per_process);
        return work_rate(job, {count, cores, mpl(job, on)}, folding_cost_);
    }

    double relocation(const Rectangle &, const Rectangle &) const override { return relocation_; }

  private:
    Mesh mesh_;
    Mapping mapping_;
    FoldingCost folding_cost_;
    double relocation_;
};

} // namespace

std::unique_ptr<JobModel> make_workload_model(const Mesh &mesh, Mapping mapping,
                                              const FoldingCost &folding_cost, double relocation) {
    return std::make_unique<WorkloadModel>(mesh, mapping, folding_cost, relocation);
}

} // namespace vmall::sim::mesh
