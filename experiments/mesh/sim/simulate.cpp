// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plays a workload through a mesh policy in simulated time.
#include "experiments/mesh/sim/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

namespace vmall::sim::mesh {

namespace {

using policy::mesh::Reallocation;
using policy::mesh::Rectangle;

constexpr Milliseconds never = std::numeric_limits<Milliseconds>::max();
constexpr double nothing = 1e-6; // milliseconds: less work than that is rounding

struct RunningJob {
    std::size_t place; // in the workload
    Rectangle on;
    double still = 0; // milliseconds that it has yet to stand still
    double rate = 0;  // after that
};

class Play {
  public:
    Play(const Workload &workload, const policy::mesh::Mesh &mesh, const MeshOptions &options,
         JobModel &model, Progress &progress);
    Outcome run();

  private:
    const Job &job(std::size_t place) const { return workload_.jobs[place]; }
    RunningJob &running(policy::JobId id);
    static policy::JobId id_of(std::size_t place) {
        return {static_cast<std::uint32_t>(place) + 1};
    }

    Milliseconds next_event() const;
    Milliseconds end_of(const RunningJob &running) const;
    Milliseconds next_rotation() const;
    Milliseconds next_preemption() const;

    void advance(Milliseconds to);
    void end_jobs();
    void accept_arrivals();
    void preempt();
    void start_jobs();

    void apply(const std::vector<Reallocation> &moves);
    void record(std::size_t place, int cores, int mpl);
    void release(std::size_t at);

    const Workload &workload_;
    const MeshOptions &options_;
    JobModel &model_;
    Progress &progress_;
    std::unique_ptr<policy::mesh::Partitioner> partitioner_;
    std::size_t limit_;

    Outcome outcome_;
    Milliseconds now_ = 0;
    Milliseconds last_rotation_ = 0;
    std::size_t arrived_ = 0;
    std::vector<double> left_; // work of each job of the workload
    std::deque<std::size_t> waiting_;
    std::vector<RunningJob> running_; // by start
};

Play::Play(const Workload &workload, const policy::mesh::Mesh &mesh, const MeshOptions &options,
           JobModel &model, Progress &progress)
    : workload_(workload), options_(options), model_(model), progress_(progress),
      partitioner_(make_partitioner(options.policy, mesh)),
      limit_(static_cast<std::size_t>(mesh.processors())) {
    if (options.limit > 0)
        limit_ = std::min(limit_, static_cast<std::size_t>(options.limit));
    outcome_.cores = mesh.processors();
    Milliseconds last = 0;
    for (const Job &one : workload.jobs) {
        if (one.submit < last) {
            throw std::invalid_argument(workload.source + ": job " + std::to_string(one.id) +
                                        " comes before the one ahead of it");
        }
        last = one.submit;
        JobOutcome result;
        result.job = &one;
        result.processes = model.processes(one);
        outcome_.jobs.push_back(result);
        left_.push_back(static_cast<double>(one.runtime));
    }
}

RunningJob &Play::running(policy::JobId id) {
    return *std::find_if(
        running_.begin(), running_.end(),
        [id](const RunningJob &one) { return id_of(one.place) == id; });
}

Milliseconds Play::end_of(const RunningJob &one) const {
    return now_ +
           static_cast<Milliseconds>(std::ceil(one.still + left_[one.place] / one.rate - nothing));
}

Milliseconds Play::next_rotation() const {
    const double interval = options_.policy.interval_with(static_cast<int>(running_.size()));
    return interval > 0 && !running_.empty()
               ? std::max(now_, last_rotation_ + static_cast<Milliseconds>(1000 * interval))
               : never;
}

Milliseconds Play::next_preemption() const {
    const Milliseconds quantum = options_.quantum;
    return quantum > 0 && !waiting_.empty() ? (now_ / quantum + 1) * quantum : never;
}

Milliseconds Play::next_event() const {
    Milliseconds next = std::min(next_rotation(), next_preemption());
    if (arrived_ < workload_.jobs.size())
        next = std::min(next, job(arrived_).submit);
    for (const RunningJob &one : running_)
        next = std::min(next, end_of(one));
    return next;
}

void Play::advance(Milliseconds to) {
    const Milliseconds passed = to - now_;
    for (RunningJob &one : running_) {
        const double still = std::min(one.still, static_cast<double>(passed));
        one.still -= still;
        left_[one.place] -= (static_cast<double>(passed) - still) * one.rate;
        outcome_.jobs[one.place].held += passed;
        outcome_.jobs[one.place].core_milliseconds += passed * one.on.processors();
    }
    now_ = to;
}

void Play::record(std::size_t place, int cores, int mpl) {
    if (!options_.record_allotments)
        return;
    auto &allotments = outcome_.jobs[place].allotments;
    if (!allotments.empty() && allotments.back().begin == now_)
        allotments.pop_back();
    allotments.push_back({now_, cores, mpl});
}

// A job that is reallocated several times at once stands still for all of it, and has one change of
// its allotment.
void Play::apply(const std::vector<Reallocation> &moves) {
    outcome_.decisions++;
    for (const Reallocation &move : moves) {
        RunningJob &one = running(move.job);
        JobOutcome &result = outcome_.jobs[one.place];
        one.on = move.to;
        if (move.from.processors() > 0) {
            one.still += model_.relocation(move.from, move.to);
            result.folds += move.to.processors() < move.from.processors();
            result.unfolds += move.to.processors() > move.from.processors();
        }
        one.rate = model_.rate(job(one.place), one.on);
    }
    for (const Reallocation &move : moves) {
        const RunningJob &one = running(move.job);
        const auto &recorded = outcome_.jobs[one.place].allotments;
        if (recorded.empty() || recorded.back().cores != one.on.processors())
            record(one.place, one.on.processors(), model_.mpl(job(one.place), one.on));
    }
}

void Play::release(std::size_t at) {
    const policy::JobId id = id_of(running_[at].place);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
    apply(partitioner_->depart(id));
}

void Play::end_jobs() {
    for (std::size_t at = 0; at < running_.size();) {
        const std::size_t place = running_[at].place;
        if (running_[at].still > nothing || left_[place] > nothing) {
            at++;
            continue;
        }
        outcome_.jobs[place].end = End::completed;
        outcome_.jobs[place].ended = now_;
        progress_.jobs_ended++;
        release(at);
    }
}

void Play::accept_arrivals() {
    for (; arrived_ < workload_.jobs.size() && job(arrived_).submit <= now_; arrived_++)
        waiting_.push_back(arrived_);
}

void Play::preempt() {
    const std::size_t count = std::min(waiting_.size(), running_.size());
    for (std::size_t i = 0; i < count; i++) {
        const std::size_t place = running_.front().place;
        record(place, 0, 1);
        waiting_.push_back(place);
        release(0);
    }
    start_jobs();
    for (RunningJob &one : running_)
        one.still += options_.preemption_overhead * static_cast<double>(options_.quantum);
}

void Play::start_jobs() {
    for (; !waiting_.empty() && running_.size() < limit_; waiting_.pop_front()) {
        if (running_.empty())
            last_rotation_ = now_;
        const std::size_t place = waiting_.front();
        running_.push_back({place, {}});
        JobOutcome &result = outcome_.jobs[place];
        if (result.starts++ == 0)
            result.started = now_;
        apply(partitioner_->arrive(id_of(place)));
    }
}

Outcome Play::run() {
    for (Milliseconds next = next_event(); next != never; next = next_event()) {
        if (progress_.stop)
            throw Stopped{};
        const bool rotation = next == next_rotation();
        const bool preemption = next == next_preemption();
        advance(next);
        end_jobs();
        accept_arrivals();
        if (rotation) {
            apply(partitioner_->rotate());
            last_rotation_ = now_;
        }
        start_jobs();
        if (preemption && !waiting_.empty())
            preempt();
    }
    return outcome_;
}

} // namespace

Outcome simulate(const Workload &workload, const policy::mesh::Mesh &mesh,
                 const MeshOptions &options, JobModel &model, Progress &progress) {
    return Play(workload, mesh, options, model, progress).run();
}

Outcome simulate(const Workload &workload, const policy::mesh::Mesh &mesh, const Choice &policy,
                 const Options &options, Progress &progress) {
    MeshOptions mesh_options;
    mesh_options.policy = policy;
    mesh_options.record_allotments = options.record_allotments;
    const auto model = make_workload_model(mesh, policy.mapping(), options.folding_cost,
                                           static_cast<double>(options.resize_latency));
    return simulate(workload, mesh, mesh_options, *model, progress);
}

} // namespace vmall::sim::mesh
