// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is made of a job that a log recorded.
#include "sim/trace/treatment.hpp"

#include "sim/trace/trace_error.hpp"

#include <algorithm>

namespace vmall::sim {

namespace {

policy::Seconds whole_seconds(Milliseconds time) {
    return (time + 999) / 1000;
}

policy::JobClass class_of(const RecordedJob &recorded, const Treatment &treatment) {
    if (recorded.job_class)
        return *recorded.job_class;
    const auto found = treatment.class_by_partition.find(recorded.partition);
    if (found != treatment.class_by_partition.end())
        return found->second;
    return recorded.requested_time > 0 && recorded.requested_time <= treatment.short_time_limit
               ? policy::JobClass::short_job
               : policy::JobClass::long_job;
}

int processors_of(const RecordedJob &recorded, Processors choice) {
    const bool requested =
        choice == Processors::requested ? recorded.requested > 0 : recorded.allocated <= 0;
    return requested ? recorded.requested : recorded.allocated;
}

// Evenly spread over all 64-bit numbers, whatever the id: SplitMix64 (Steele, Lea and Flood, Fast
// splittable pseudorandom number generators, 2014).
std::uint64_t drawn_number(std::uint64_t seed, std::uint32_t id) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15 + id;
    z = (z + 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

bool drawn(double share, std::uint64_t seed, std::uint32_t id) {
    constexpr int mantissa = 53;
    return static_cast<double>(drawn_number(seed, id) >> (64 - mantissa)) <
           share * static_cast<double>(std::uint64_t{1} << mantissa);
}

bool belongs(const std::set<std::string> &names, const std::string &name) {
    return names.empty() || names.count(name) != 0;
}

bool chosen(const Job &job, const std::string &partition, const Malleability &malleability) {
    return belongs(malleability.partitions, partition) && belongs(malleability.users, job.user) &&
           (!malleability.job_class || *malleability.job_class == job.job_class) &&
           drawn(malleability.share, malleability.seed, job.id);
}

void set_sizes(Job &job, int processors, const SizeRule &rule) {
    if (processors % job.cores_per_process != 0)
        throw BadLine{std::to_string(processors) + " processors are no multiple of the " +
                      std::to_string(job.cores_per_process) + " of each process"};
    const int processes = processors / job.cores_per_process;
    job.runtime_processes = processes;
    if (job.virtually_malleable)
        job.sizes = rule.up_to(processes);
    job.sizes.add(processes);
}

void set_times(Job &job, const RecordedJob &recorded, Overrun overrun) {
    job.runtime = recorded.runtime;
    job.estimate = recorded.requested_time;
    if (overrun == Overrun::kill)
        job.time_limit = job.estimate;
    if (overrun == Overrun::raise_estimate && job.estimate > 0)
        job.estimate = std::max(job.estimate, whole_seconds(job.runtime));
}

} // namespace

Job treated(const RecordedJob &recorded, const Treatment &treatment) {
    Job job;
    job.id = recorded.id;
    job.submit = recorded.submit;
    job.recorded_start = recorded.start;
    job.user = recorded.user;
    job.account = recorded.account;
    job.partition = recorded.partition;
    job.useful_percent = recorded.useful_percent;
    job.recorded_core_seconds = recorded.core_seconds;
    job.requested_memory = recorded.requested_memory;
    job.used_memory = recorded.used_memory;
    job.job_class = class_of(recorded, treatment);
    set_times(job, recorded, treatment.overrun);
    const int processors = processors_of(recorded, treatment.processors);
    const Malleability &malleability = treatment.malleability;
    if (const Executable *executable = recorded.executable) {
        job.virtually_malleable = executable->virtually_malleable;
        job.malleable = executable->malleable;
        job.cores_per_process = executable->cores_per_process;
        job.speedup = executable->speedup.curve;
        job.application = executable->application;
        set_sizes(job, processors, executable->sizes);
    } else {
        job.virtually_malleable = chosen(job, recorded.partition, malleability);
        job.speedup = malleability.speedup.curve;
        set_sizes(job, processors, malleability.sizes);
    }
    return job;
}

} // namespace vmall::sim
