// SPDX-License-Identifier: GPL-2.0-or-later
#include "wire/metric_families.hpp"

#include "vmall_config.h"

namespace vmall::wire {

MetricFamily &MetricFamilies::add(MetricType type, const char *name, const char *help) {
    families_.push_back({std::string("slurm_vm_") + name, type, help, {}});
    return families_.back();
}

void RunningJobs::note(const std::optional<RankReport> &report, std::optional<int> useful_percent) {
    if (report) {
        ranks += report->tasks;
        ranks_unattached += report->tasks - report->attached;
    }
    if (useful_percent)
        useful_share.note(*useful_percent / 100.0);
}

void add_running(MetricFamilies &to, std::vector<Sample> by_state, const RunningJobs &running) {
    to.add(MetricType::gauge, "jobs",
           "Virtually malleable jobs that run (unfolded, folded, suspended), or wait and could "
           "start as far as Slurm's limits go.")
        .samples = std::move(by_state);
    to.gauge("cores_held", running.cores_held, "Cores of virtually malleable jobs that run.");
    to.gauge("cores_lent", running.cores_lent, "Cores that these have less than unfolded.");
    to.gauge("resizes_pending", running.resizes_pending,
             "Jobs with a target that not all nodes have confirmed.");
    to.gauge("ranks", running.ranks,
             "Processes of running jobs, as their nodes reported them last.");
    to.gauge("ranks_unattached", running.ranks_unattached,
             "How many of these libvmrt does not serve: they poll while they share a core.");
    to.add(
          MetricType::histogram, "useful_share",
          "Running jobs, by the part of their time on cores of their own that they do not wait. Of "
          "the moment: counts also fall.")
        .samples = {sample_of({}, running.useful_share)};
}

void add_build(MetricFamilies &to, const std::string &slurm) {
    to.add(MetricType::gauge, "build_info", "Always 1: the releases are in the labels.").samples = {
        {{{"version", PACKAGE_VERSION}, {"slurm", slurm}}, 1}};
}

} // namespace vmall::wire
