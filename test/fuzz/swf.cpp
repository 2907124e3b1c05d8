// SPDX-License-Identifier: GPL-2.0-or-later
//
// Logs in the Standard Workload Format, read leniently, written and read again.
#include "sim/trace/swf.hpp"

#include "input_file.hpp"
#include "target.hpp"

#include <algorithm>
#include <sstream>

namespace vmall::fuzz {

namespace {

sim::Workload read(const std::string &text) {
    static InputFile file;
    sim::ReadLog log;
    log.lenient = true;
    return sim::read_swf(file.holding(text), {}, log);
}

std::string written(const sim::Workload &workload) {
    std::ostringstream text;
    sim::SwfWriter writer(text, {});
    for (const sim::Job &job : workload.jobs)
        writer.write(job);
    return text.str();
}

bool same(const sim::Job &left, const sim::Job &right) {
    return left.id == right.id && left.submit == right.submit && left.runtime == right.runtime &&
           left.job_class == right.job_class &&
           left.runtime_processes * left.cores_per_process == right.runtime_processes;
}

} // namespace

void decode(const std::string &input) {
    try {
        const sim::Workload workload = read(input);
        const sim::Workload again = read(written(workload));
        expect(std::equal(workload.jobs.begin(), workload.jobs.end(), again.jobs.begin(),
                          again.jobs.end(), same),
               "jobs that are written are read");
    } catch (const sim::TraceError &) {
    }
}

} // namespace vmall::fuzz
