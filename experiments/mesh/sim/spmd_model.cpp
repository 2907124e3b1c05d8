// SPDX-License-Identifier: GPL-2.0-or-later
//
// The application of McCann's thesis, s. 5.1.
#include "experiments/mesh/sim/job_model.hpp"

namespace vmall::sim::mesh {

namespace {

using namespace policy::mesh;

class SpmdModel : public JobModel {
  public:
    SpmdModel(StepTimes &step_times, Mapping mapping, bool relocation_is_free)
        : step_times_(step_times), mapping_(mapping), relocation_is_free_(relocation_is_free) {}

    int processes(const Job &) const override { return step_times_.mesh().processors(); }

    int mpl(const Job &, const Rectangle &on) const override {
        return most_threads(step_times_.mesh(), on.rows, on.columns, mapping_);
    }

    double rate(const Job &, const Rectangle &on) override {
        return step_times_.alone() / step_times_(on.rows, on.columns, mapping_);
    }

    double relocation(const Rectangle &from, const Rectangle &to) const override {
        return relocation_is_free_ ? 0
                                   : 1000 * relocation_time(step_times_.mesh(), from, to,
                                                            step_times_.environment());
    }

  private:
    StepTimes &step_times_;
    Mapping mapping_;
    bool relocation_is_free_;
};

} // namespace

std::unique_ptr<JobModel> make_spmd_model(StepTimes &step_times, Mapping mapping,
                                          bool relocation_is_free) {
    return std::make_unique<SpmdModel>(step_times, mapping, relocation_is_free);
}

} // namespace vmall::sim::mesh
