// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by the simulator's own rule of how fast a job is at which MPL.
#include "modelled_run.hpp"

#include <cmath>

namespace vmall::evaluation {

constexpr double second = 1e9;

ModelledRun::ModelledRun(const sim::Application &application, int processes,
                         const sim::FoldingCost &cost, double clock, Nanoseconds begin)
    : cost_(cost), left_(application.seconds(processes) * second / clock), since_(begin) {
    job_.runtime_processes = processes;
    job_.speedup = application.speedup;
}

void ModelledRun::fold(int mpl, Nanoseconds now) {
    left_ -= static_cast<double>(now - since_) * rate_;
    since_ = now;
    sim::Shape shape;
    shape.processes = job_.runtime_processes;
    shape.mpl = mpl;
    rate_ = sim::work_rate(job_, shape, cost_);
}

Nanoseconds ModelledRun::end() const {
    return since_ + std::llround(left_ / rate_);
}

} // namespace vmall::evaluation
