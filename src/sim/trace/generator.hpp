// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random workloads as the papers used them: Poisson arrivals of known applications that load the
// machine to a given degree (Utrera's thesis, s. 3.6.2), singly or in bursts.
#pragma once

#include "sim/model/job.hpp"
#include "sim/trace/application.hpp"
#include "sim/trace/random.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vmall::sim {

struct ApplicationLoad {
    Application application;
    // The part of the machine that its jobs keep busy, greater than 0; 1 is the whole machine. U ×
    // Frac of equation 3.2.
    double load = 0;
};

// Each class's load in equal parts for the applications of that class (thesis s. 6.5.2).
// Applications of a class with load 0 are left out. Throws std::invalid_argument if a class has a
// load and no application.
std::vector<ApplicationLoad> equal_shares(const std::vector<Application> &applications,
                                          double long_load, double short_load);

// What a job keeps busy is the product of processors and time
enum class Work {
    sequential, // with one process (equation 3.2)
    parallel    // with as many processes as it may have
};

// What users say about the time their jobs need with as many processes as they may have: so many
// times as long, every factor of the range as likely. From 0.001 to a million.
struct EstimateFactors {
    double lowest = 1;
    double highest = 1; // not below the lowest
};

struct GeneratorSpec {
    // Of the machine. A job accepts no more processes than these, nor more than its application was
    // measured with.
    int processors = 60;
    std::vector<ApplicationLoad> applications;

    // What users know of the applications, from 0 (nothing) to 1: they ask for the most processes
    // that run at this efficiency or better; if no size does, for the fewest that it accepts.
    double least_efficiency = 0;

    Work work = Work::sequential;

    // Until so many jobs have been submitted (0: no limit) or the next one would be later than
    // `duration` (0: no limit). One of them must limit it.
    std::int64_t jobs = 0;
    policy::Seconds duration = 900;

    // Jobs that are submitted at the same time. The load does not depend on it.
    int burst = 1;

    std::optional<EstimateFactors> estimates = EstimateFactors{}; // nothing: there are none

    // The part of the jobs, chosen at random, that is virtually malleable, from 0 to 1. The others
    // have one size, the largest.
    double virtually_malleable = 1;
};

// Makes one job after the other, by submission; ids from 1 on. Submissions and estimates are whole
// seconds. The same specification and seed give the same jobs on every machine.
//
// Every job draws the same random numbers whatever the specification, so that workloads of one seed
// that differ in load have the same sequence of arrivals, stretched.
class Generator {
  public:
    // Throws std::invalid_argument if the specification contradicts the ranges above or an
    // application accepts no size that the machine has.
    Generator(GeneratorSpec spec, std::uint64_t seed);

    std::optional<Job> next(); // nothing: that was the last one

    // "generated: 60 processors, load 0.8, seed 1"
    std::string source() const;

  private:
    struct Kind {
        Job job;         // but for what is drawn
        double rate = 0; // jobs per second
    };
    GeneratorSpec spec_;
    std::uint64_t seed_;
    Random random_;
    std::vector<Kind> kinds_;
    double rate_ = 0; // of all jobs, per second
    std::int64_t made_ = 0;
    std::int64_t clock_ = 0; // microseconds
};

// All jobs of a Generator.
Workload generate(const GeneratorSpec &spec, std::uint64_t seed);

} // namespace vmall::sim
