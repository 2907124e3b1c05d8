// SPDX-License-Identifier: GPL-2.0-or-later
//
// The papers' workloads, as their tables have them.
#include "sim/trace/paper_workload.hpp"

#include "config/number.hpp"
#include "sim/trace/burst.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace vmall::sim {

namespace {

constexpr int papers_processors = 60;

using Names = std::vector<std::string>;
const Names long_and_short = {"BT.A", "CG.B", "BT.W", "Sweep3D"};
const Names high_communication = long_and_short;
const Names low_communication = {"EP.C", "EP.B", "Sweep3D"};
const Names of_bursts = {"BT.A", "CG.B", "LU.W", "Sweep3D"};

std::vector<PaperWorkload> tables() {
    std::vector<PaperWorkload> all = {
        {"w1", long_and_short, 0.4, 0.1, 600}, {"w2", long_and_short, 0.4, 0.2, 600},
        {"w3", long_and_short, 0.4, 0.3, 600}, {"w4", long_and_short, 0.1, 0.4, 600},
        {"w5", long_and_short, 0.2, 0.4, 600}, {"w6", long_and_short, 0.3, 0.4, 600},
    };
    for (const auto &[degree, applications] :
         {std::pair("high-", high_communication), std::pair("low-", low_communication)})
        for (const int load : {40, 60, 80, 100})
            all.push_back(
                {degree + std::to_string(load), applications, (load - 20) / 100.0, 0.2, 900});
    for (const int jobs : {3, 6, 9})
        all.push_back({"burst-" + std::to_string(jobs), of_bursts, 0, 0, 0, jobs});
    return all;
}

std::vector<Application> applications_of(const PaperWorkload &workload) {
    std::vector<Application> applications;
    for (const std::string &name : workload.applications) {
        const Application &application = find_application(paper_applications(), name);
        applications.push_back(application.job_class == policy::JobClass::long_job
                                   ? with_smallest_size(application, smallest_long_job)
                                   : application);
    }
    return applications;
}

} // namespace

const std::vector<PaperWorkload> &paper_workloads() {
    static const std::vector<PaperWorkload> workloads = tables();
    return workloads;
}

const PaperWorkload &find_paper_workload(std::string_view name) {
    std::string names;
    for (const PaperWorkload &workload : paper_workloads()) {
        if (workload.name == name)
            return workload;
        names += (names.empty() ? "" : ", ") + workload.name;
    }
    throw std::invalid_argument("there is no workload " + config::quoted(name) + "; there are " +
                                names);
}

GeneratorSpec specification(const PaperWorkload &workload, int processors) {
    GeneratorSpec spec;
    spec.processors = processors;
    const std::vector<Application> applications = applications_of(workload);
    if (workload.burst == 0) {
        spec.applications = equal_shares(applications, workload.long_load, workload.short_load);
        spec.duration = workload.duration;
    } else {
        for (const Application &application : applications)
            spec.applications.push_back({application, 1});
        spec.jobs =
            std::max(std::lround(1.0 * workload.burst * processors / papers_processors), 1L);
    }
    return spec;
}

Workload generate(const PaperWorkload &workload, const GeneratorSpec &spec, std::uint64_t seed) {
    return workload.burst == 0 ? generate(spec, seed)
                               : generate_burst(spec, static_cast<int>(spec.jobs / 3), seed);
}

} // namespace vmall::sim
