// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whose turn it is to be dealt cores.
#include "policy/least_work/order.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace vmall::policy::least_work {

namespace {

constexpr Seconds unknown_work = 3600;

// Nobody's patience ends sooner, however short it is to run.
constexpr Seconds least_patience = 3600;

// Of the cores, for jobs that were started in front. More of it makes overload worse for
// everybody.
constexpr int parts_of_machine = 10;

bool is_known(Seconds estimate) {
    return estimate > 0 && estimate < never;
}

// With a lower power wide jobs that cannot be folded starve where many wait; with a higher one
// short jobs gain less.
double part_that_age_leaves(Seconds left, Seconds waited) {
    constexpr int power = 3;
    const auto time = static_cast<double>(left);
    return std::pow(time / (time + static_cast<double>(std::max<Seconds>(waited, 0))), power);
}

bool has_waited_enough(const Settings &settings, Seconds likely_work, Seconds waited) {
    if (settings.patience == 0)
        return true;
    const Seconds work = work_left(likely_work, 0);
    return waited >=
           std::max(least_patience, std::min(work, never / settings.patience) * settings.patience);
}

// On its floor. What it holds at the moment may change by what comes of this.
int least_cores_of(const Pass &pass, const RunningJob &job) {
    if (!job.virtually_malleable || job.allotment.empty())
        return cores_of(job.allotment);
    const int deepest = deepest_mpl(pass, job);
    return cores_of(policy::at_mpl(job.unfolded, job.cores_per_process, deepest));
}

// Cores of running jobs that had waited for their patience when they were started.
int cores_in_front(const Pass &pass, std::int64_t tier) {
    int cores = 0;
    for (const Running &running : pass.running) {
        const RunningJob &job = *running.job;
        if (job.tier == tier && !running.ending &&
            has_waited_enough(pass.settings, job.likely_work, job.started - job.arrival))
            cores += least_cores_of(pass, job);
    }
    return cores;
}

int cores_of_machine(const Pass &pass) {
    int cores = 0;
    for (const Node &node : pass.nodes)
        cores += node.cores;
    return cores;
}

} // namespace

Seconds work_left(Seconds likely_work, Seconds done) {
    if (!is_known(likely_work))
        return unknown_work;
    return std::max<Seconds>(likely_work > done ? likely_work - done : done, 1);
}

// Whoever has a year has no limit, and has not said how long it takes.
bool says_how_long(Seconds estimate) {
    constexpr Seconds year = 365 * 24 * 3600;
    return is_known(estimate) && estimate < year;
}

Ranking::Ranking(Seconds now, const std::vector<Node> &nodes) : now_(now) {
    for (const Node &node : nodes)
        cores_of_node_ = std::max(cores_of_node_, node.cores);
}

// Between time alone, by which wide jobs would shut out many narrow ones, and time × cores, by
// which jobs as wide as the machine would come after everybody.
double Ranking::work(Seconds left, int cores) const {
    return static_cast<double>(left) * std::sqrt(std::min(cores, cores_of_node_));
}

double Ranking::of(const WaitingJob &job, Seconds left, int cores) const {
    const double rank = work(left, cores);
    return says_how_long(job.estimate) ? rank * part_that_age_leaves(left, now_ - job.arrival)
                                       : rank;
}

double Ranking::of(const WaitingJob &job) const {
    return of(job, work_left(job.likely_work, 0), least_cores(job, job.sizes.largest(), 1));
}

double Ranking::of(const RunningJob &job, Seconds left, int cores) const {
    const int least_gain = job.allotment.size() > 1 ? 16 : 4;
    const double rank = work(left, cores);
    return says_how_long(job.estimate)
               ? rank * part_that_age_leaves(left, job.started - job.arrival) / least_gain
               : rank;
}

bool comes_before(const Claim &left, const Claim &right) {
    return std::make_tuple(-left.tier, !left.in_front, left.rank, left.arrival, left.id) <
           std::make_tuple(-right.tier, !right.in_front, right.rank, right.arrival, right.id);
}

bool is_queued_before(const Claim &left, const Claim &right) {
    return std::make_tuple(-left.tier, !left.in_front, left.position) <
           std::make_tuple(-right.tier, !right.in_front, right.position);
}

bool comes_before_once_it_runs(const Claim &waiting, const Claim &other) {
    const bool stays_in_front = other.in_front && other.running;
    return std::make_tuple(-waiting.tier, true, waiting.rank, waiting.arrival, waiting.id) <
           std::make_tuple(-other.tier, !stays_in_front, other.rank, other.arrival, other.id);
}

void put_overdue_in_front(const Pass &pass, Claims &waiting) {
    std::map<std::int64_t, Claim *> first;
    for (Claim &claim : waiting)
        if (has_waited_enough(pass.settings, claim.waiting->likely_work, pass.now - claim.arrival))
            first.emplace(claim.tier, &claim);
    const bool strict = pass.settings.patience == 0;
    for (const auto &[tier, claim] : first)
        claim->in_front =
            strict || cores_in_front(pass, tier) * parts_of_machine <= cores_of_machine(pass);
}

} // namespace vmall::policy::least_work
