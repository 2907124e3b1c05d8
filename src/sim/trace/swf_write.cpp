// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes a workload in the Standard Workload Format.
#include "sim/trace/swf.hpp"

#include "common/job_class.hpp"
#include "sim/trace/text.hpp"

#include <iterator>

namespace vmall::sim {

namespace {

constexpr int queue_of(policy::JobClass job_class) {
    return job_class == policy::JobClass::short_job ? 1 : 2;
}

const char *kind_of(const Executable &executable) {
    return executable.malleable             ? "malleable"
           : executable.virtually_malleable ? "virtually-malleable"
                                            : "rigid";
}

void write_number(std::ostream &out, const char *label, std::int64_t number) {
    if (number > 0)
        out << "; " << label << ": " << number << '\n';
}

void write_header(std::ostream &out, const SwfHeader &header) {
    out << "; Version: 2.2\n; Computer: simulated\n; Conversion: vmsim of slurm-vmall\n"
           "; Preemption: No\n";
    write_number(out, "UnixStartTime", header.unix_start_time);
    write_number(out, "MaxNodes", header.max_nodes);
    write_number(out, "MaxProcs", header.max_processors);
    write_number(out, "MaxQueues", std::size(common::job_classes));
    for (const policy::JobClass job_class : common::job_classes)
        out << "; Queue: " << queue_of(job_class) << ' ' << name_of(job_class) << '\n';
    for (const std::string &note : header.notes)
        out << "; Note: " << note << '\n';
    for (const auto &[number, executable] : header.executables)
        out << "; Note: vmsim executable " << number << ": " << kind_of(executable)
            << " sizes=" << executable.sizes.text() << " speedup=" << executable.speedup.text
            << " cores-per-process=" << executable.cores_per_process
            << " application=" << executable.application << '\n';
    out << ";\n";
}

} // namespace

SwfWriter::SwfWriter(std::ostream &out, SwfHeader header) : out_(out) {
    for (const auto &[number, executable] : header.executables)
        executables_.emplace(Kind(executable.application, executable.virtually_malleable,
                                  executable.malleable, executable.cores_per_process),
                             number);
    write_header(out_, header);
}

int SwfWriter::executable_of(const Job &job) const {
    const auto found = executables_.find(
        Kind(job.application, job.virtually_malleable, job.malleable, job.cores_per_process));
    return found == executables_.end() ? -1 : found->second;
}

int SwfWriter::user_of(const Job &job) {
    if (job.user.empty())
        return -1;
    return users_.emplace(job.user, static_cast<int>(users_.size()) + 1).first->second;
}

void SwfWriter::write(const Job &job) {
    const std::string unknown = "-1";
    const auto known = [&](std::int64_t number) {
        return number > 0 ? std::to_string(number) : unknown;
    };
    const int cores = job.runtime_processes * job.cores_per_process;
    out_ << job.id << ' ' << seconds_text(job.submit) << ' '
         << (job.recorded_start ? seconds_text(*job.recorded_start - job.submit) : unknown) << ' '
         << seconds_text(job.runtime) << ' ' << cores << " -1 " << known(job.used_memory) << ' '
         << job.sizes.largest() * job.cores_per_process << ' ' << known(job.estimate) << ' '
         << known(job.requested_memory) << " -1 " << user_of(job) << " -1 " << executable_of(job)
         << ' ' << queue_of(job.job_class) << " -1 -1 -1\n";
}

} // namespace vmall::sim
