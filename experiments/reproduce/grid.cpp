// SPDX-License-Identifier: GPL-2.0-or-later
//
// All simulations of a grid, each seed on its own thread, and the means over jobs.
#include "experiments/reproduce/grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

struct LastRun {
    Milliseconds execution = 0;
    std::int64_t core_milliseconds = 0;
};

// From the last change that gave cores to a job that had none.
LastRun last_run(const JobOutcome &job) {
    LastRun run;
    Milliseconds end = job.ended;
    for (auto change = job.allotments.rbegin(); change != job.allotments.rend(); ++change) {
        if (change->cores == 0)
            break;
        run.execution += end - change->begin;
        run.core_milliseconds += (end - change->begin) * change->cores;
        end = change->begin;
    }
    return run;
}

double in_seconds(Milliseconds time) {
    return static_cast<double>(time) / 1000;
}

// Sums over jobs; divided at the end.
class Sums {
  public:
    // And as it went under the contender that the others are compared with.
    void add(const JobOutcome &job, const JobOutcome &reference) {
        const LastRun run = last_run(job);
        const Milliseconds response = job.ended - job.job->submit;
        const double wait = in_seconds(response - run.execution);
        sums_.response += in_seconds(response);
        sums_.wait += wait;
        sums_.execution += in_seconds(run.execution);
        sums_.processors += static_cast<double>(run.core_milliseconds) /
                            static_cast<double>(std::max<Milliseconds>(run.execution, 1));
        sums_.slowdown += static_cast<double>(response) /
                          static_cast<double>(reference.ended - reference.job->submit);
        sums_.requeues += job.starts - 1;
        sums_.expiries += job.expiries;
        sums_.wasted += static_cast<double>(job.wasted);
        held_ += static_cast<double>(job.core_milliseconds);
        waits_.push_back(wait);
        jobs_++;
    }

    void end_of_workload() {
        if (waits_.size() > 1) {
            sums_.wait_deviation += summarise(waits_).deviation;
            deviations_++;
        }
        waits_.clear();
        workloads_++;
    }

    bool empty() const { return jobs_ == 0; }

    ClassMeans means() const {
        ClassMeans means = sums_;
        for (double *sum :
             {&means.response, &means.wait, &means.execution, &means.processors, &means.slowdown})
            *sum /= jobs_;
        means.wait_deviation /= std::max(1, deviations_);
        means.requeues /= workloads_;
        means.expiries /= workloads_;
        means.wasted /= held_;
        return means;
    }

  private:
    ClassMeans sums_;
    std::vector<double> waits_; // of this workload
    double held_ = 0;           // core milliseconds
    int jobs_ = 0, deviations_ = 0, workloads_ = 0;
};

Workload as_seen_by(const Contender &contender, Workload workload) {
    for (Job &job : workload.jobs) {
        job.virtually_malleable = true;
        if (contender.rigid)
            job.sizes = {job.sizes.largest()};
    }
    return workload;
}

Outcome play(const Workload &workload, const Contender &contender, Progress &progress) {
    Options options;
    options.policy = contender.settings;
    options.folding_cost = contender.folding_cost;
    options.record_allotments = true;
    Outcome outcome = simulate(workload, {{workload.processors}}, options, progress);
    for (const JobOutcome &job : outcome.jobs) {
        if (job.end != End::completed) {
            throw std::runtime_error(contender.name + ": job " + std::to_string(job.job->id) +
                                     " of " + workload.source + " did not end");
        }
    }
    return outcome;
}

// Of one contender.
struct SumsByClass {
    Sums long_jobs, short_jobs, all_jobs;

    void add(const Outcome &outcome, const Outcome &reference) {
        for (std::size_t i = 0; i < outcome.jobs.size(); i++) {
            const JobOutcome &job = outcome.jobs[i];
            const bool is_long = job.job->job_class == policy::JobClass::long_job;
            (is_long ? long_jobs : short_jobs).add(job, reference.jobs[i]);
            all_jobs.add(job, reference.jobs[i]);
        }
        long_jobs.end_of_workload();
        short_jobs.end_of_workload();
        all_jobs.end_of_workload();
    }

    bool lacks_a_class() const { return long_jobs.empty() || short_jobs.empty(); }
};

// Every contender's turn at the same workload; the first is the one the others are compared with.
void add(const Workload &workload, const std::vector<Contender> &contenders, Progress &progress,
         std::vector<SumsByClass> &sums) {
    const Workload seen_by_first = as_seen_by(contenders.front(), workload);
    const Outcome reference = play(seen_by_first, contenders.front(), progress);
    sums.front().add(reference, reference);
    for (std::size_t i = 1; i < contenders.size(); i++) {
        const Workload seen = as_seen_by(contenders[i], workload);
        sums[i].add(play(seen, contenders[i], progress), reference);
    }
}

// By contender.
std::vector<Means> run(const Situation &situation, const std::vector<Contender> &contenders,
                       std::uint64_t seed, int repeats, Progress &progress) {
    constexpr std::uint64_t most_repeats = 1000;
    std::vector<SumsByClass> sums(contenders.size());
    const auto enough = static_cast<std::uint64_t>(repeats);
    for (std::uint64_t i = 0; i < enough || sums.front().lacks_a_class(); i++) {
        if (i == most_repeats)
            throw std::runtime_error(situation.name + ": a class has no jobs");
        add(situation.workload(seed * most_repeats + i), contenders, progress, sums);
    }
    std::vector<Means> means;
    for (const SumsByClass &one : sums)
        means.push_back({one.long_jobs.means(), one.short_jobs.means(), one.all_jobs.means()});
    return means;
}

template <typename Named>
std::size_t find(const std::vector<Named> &all, const std::string &name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Named &one) { return one.name == name; });
    if (found == all.end())
        throw std::out_of_range("the grid has no " + name);
    return static_cast<std::size_t>(found - all.begin());
}

} // namespace

Grid::Grid(const Context &context, std::vector<Situation> situations,
           std::vector<Contender> contenders, int repeats)
    : situations_(std::move(situations)), contenders_(std::move(contenders)),
      cells_(situations_.size() * contenders_.size(), std::vector<Means>(context.seeds.size())) {
    const std::size_t seeds = context.seeds.size();
    in_parallel(context, situations_.size() * seeds, [&](std::size_t task) {
        const std::size_t situation = task / seeds;
        const std::size_t seed = task % seeds;
        const auto means = run(situations_[situation], contenders_, context.seeds[seed], repeats,
                               context.progress);
        for (std::size_t i = 0; i < means.size(); i++)
            cells_[situation * contenders_.size() + i][seed] = means[i];
    });
}

const std::vector<Means> &Grid::at(const std::string &situation,
                                   const std::string &contender) const {
    return cells_[find(situations_, situation) * contenders_.size() + find(contenders_, contender)];
}

} // namespace vmall::sim::reproduce
