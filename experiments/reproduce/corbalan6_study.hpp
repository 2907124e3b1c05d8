// SPDX-License-Identifier: GPL-2.0-or-later
//
// The workloads of Corbalan's thesis ch. 6 (table 6.1) under Equipartition, Equip++,
// Equal_efficiency and Equal_eff++, several times with other assumptions: what its experiments
// measure from.
#pragma once

#include "experiments/reproduce/experiment.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace vmall::sim::reproduce::corbalan6 {

inline constexpr int processors = 60; // s. 6.5.3: four jobs have 15 each

struct Share {
    std::string application; // swim, bt, hydro2d, apsi
    double part = 0;         // of the load
    int requested = 30;
};

using Mix = std::vector<Share>;

// Table 6.1, corrected by the text: `workload` from 1 to 5. Not tuned: everybody requests 30.
Mix mix_of(int workload, bool tuned = true);

enum class Curves { read_out, slow_bt, dowdy };

// What the thesis leaves open.
struct Assumption {
    std::string text; // how it differs from the first one
    Curves curves = Curves::read_out;
    policy::Seconds submissions = 300; // go on for so long
    Measuring measuring = {0.005, 0.05, 0.02, 1};
    int step = 1;
    policy::OneProcessor one_processor = policy::OneProcessor::zero;
    Milliseconds resize_cost = 0;
};

// The first one is what the verdicts are about.
std::vector<Assumption> all_assumptions();

// The same in words, for Experiment::assumptions.
std::vector<std::string> assumptions_in_words();

// Means over the jobs of an application.
struct Application {
    int jobs = 0;
    double response = 0;   // seconds
    double execution = 0;  // seconds
    double processors = 0; // that it had, mean over time
    double cpu = 0;        // processors × seconds
    double fewest = 0;     // processors of the job that had the fewest, mean over time
};

// What one policy makes of one workload.
struct Numbers {
    std::map<std::string, Application> of;
    double makespan = 0;    // seconds from the first submission to the last end
    double utilisation = 0; // of the machine until then
    double level = 0;       // most jobs at a time
    double resizes = 0;     // of a job, mean
    double cpu = 0;         // of all jobs, processors × seconds
};

struct Cell { // the same random workload
    Numbers equipartition, equip, equal_efficiency, equal_eff;
};

using Policy = Numbers Cell::*;
inline constexpr Policy equipartition = &Cell::equipartition;
inline constexpr Policy equip = &Cell::equip;
inline constexpr Policy equal_efficiency = &Cell::equal_efficiency;
inline constexpr Policy equal_eff = &Cell::equal_eff;
inline constexpr auto response = &Application::response;
inline constexpr auto execution = &Application::execution;
inline constexpr auto allotment = &Application::processors;

using Measure = std::function<double(const Cell &)>;

// Of one application under one policy; under one policy divided by under another.
Measure of(const std::string &application, double Application::*what, Policy policy);
Measure ratio(const std::string &application, double Application::*what, Policy above,
              Policy below);
// Of the whole workload.
Measure of(double Numbers::*what, Policy policy);
Measure ratio(double Numbers::*what, Policy above, Policy below);

class Study {
  public:
    // Jobs at a time: `level`, or that as the least.
    Study(const Context &context, const Mix &mix, const std::vector<int> &loads, int level,
          const std::vector<Assumption> &assumptions = all_assumptions());

    // Measured at each load, under each assumption.
    Finding finding(Claim claim, const Measure &measure) const;
    // The same at some of the loads.
    Finding finding_at(const std::vector<int> &loads, Claim claim, const Measure &measure) const;
    // Measured on the mean over the loads.
    Finding averaged(Claim claim, const Measure &measure) const;

    // The same, all of one source.
    struct Said {
        std::string says;
        std::string measure_in_words;
        Range accepted;
        std::string reading;
        Measure measure;
        bool headline = false;
    };
    std::vector<Finding> all_averaged(const std::string &source,
                                      const std::vector<Said> &said) const;
    std::vector<Finding> all_at(int load, const std::string &source,
                                const std::vector<Said> &said) const;

    // Every application and policy, at each load.
    Table table(const std::string &caption) const;
    // Response and execution times as the thesis' figures show them.
    Chart chart(const std::string &name, const std::string &title) const;

    // By seed, under the first assumption.
    std::vector<double> values(int load, const Measure &measure) const;

  private:
    using BySeed = std::vector<Cell>;
    using ByLoad = std::vector<BySeed>;

    std::vector<std::string> applications() const;
    Finding with_alternatives(
        Claim claim,
        const std::function<std::vector<Measurement>(const ByLoad &)> &measure_all) const;

    std::vector<int> loads;
    std::vector<Assumption> assumptions;
    std::vector<ByLoad> cells; // by assumption
};

// The one divided by the other, seed by seed.
Measurement paired(std::string where, const std::vector<double> &above,
                   const std::vector<double> &below);

void append(std::vector<Finding> &findings, std::vector<Finding> more);

// How numbers of the text became ranges.
Range half_to_twice_of_gain(double ratio); // a ratio of 1.4: 1.2 to 1.8
Range within_factor_two(double ratio);
Range within_quarter(double value);
inline Range similar() {
    return between(0.85, 1.15);
}
inline const char *of_gain_words = "\"by N %\": a ratio of 1 + N / 100, half to twice of that gain";
inline const char *factor_two = "the thesis' larger percentages are ratios (949 s / 83 s: \"1143 "
                                "%\"); within a factor of two";
inline const char *quarter = "within a quarter";
inline const char *similar_words = "similar: within 15 %";

} // namespace vmall::sim::reproduce::corbalan6
