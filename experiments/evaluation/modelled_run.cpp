// SPDX-License-Identifier: GPL-2.0-or-later
//
// Goes by the simulator's own rule of how fast a job is at which MPL.
#include "modelled_run.hpp"

#include <cmath>

namespace vmall::evaluation {

constexpr double second = 1e9;

ModelledRun::ModelledRun(const sim::Application &application, int processes,
                         const sim::FoldingCost &cost, double clock, Nanoseconds begin,
                         std::optional<int> useful_percent)
    : cost_(cost), left_(application.seconds(processes) * second / clock), since_(begin) {
    job_.runtime_processes = processes;
    job_.speedup = application.speedup;
    job_.useful_percent = useful_percent;
}

void ModelledRun::fold(int mpl, Nanoseconds now) {
    catch_up(now);
    sim::Shape shape;
    shape.processes = job_.runtime_processes;
    shape.mpl = mpl;
    rate_ = sim::work_rate(job_, shape, cost_);
}

void ModelledRun::suspend(Nanoseconds now) {
    catch_up(now);
    is_suspended_ = true;
}

void ModelledRun::resume(Nanoseconds now) {
    catch_up(now);
    is_suspended_ = false;
}

void ModelledRun::catch_up(Nanoseconds now) {
    left_ -= is_suspended_ ? 0 : static_cast<double>(now - since_) * rate_;
    since_ = now;
}

Nanoseconds ModelledRun::end() const {
    return is_suspended_ ? never : since_ + std::llround(left_ / rate_);
}

} // namespace vmall::evaluation
