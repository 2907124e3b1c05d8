// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sacct prints, read leniently.
#include "sim/trace/sacct.hpp"

#include "input_file.hpp"
#include "target.hpp"

#include <algorithm>

namespace vmall::fuzz {

void decode(const std::string &input) {
    static InputFile file;
    sim::ReadLog log;
    log.lenient = true;
    try {
        const sim::Workload workload = sim::read_sacct(file.holding(input), {}, log);
        for (const sim::Job &job : workload.jobs)
            expect(job.submit >= 0 && job.runtime >= 0 && job.runtime_processes >= 1 &&
                       !job.sizes.empty(),
                   "a job is one");
    } catch (const sim::TraceError &) {
    }
}

} // namespace vmall::fuzz
