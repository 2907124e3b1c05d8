// SPDX-License-Identifier: GPL-2.0-or-later
//
// One job at a time on the whole machine.
#include "experiments/mesh/sim/uniprogramming.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace vmall::sim::mesh {

std::vector<double> fcfs_responses(const Workload &workload) {
    std::vector<double> responses;
    Milliseconds free = 0;
    for (const Job &job : workload.jobs) {
        free = std::max(free, job.submit) + job.runtime;
        responses.push_back(static_cast<double>(free - job.submit));
    }
    return responses;
}

// Every job that is there is served equally: `service` is how much one has had that was always
// there, and a job leaves when it has grown by the job's runtime.
std::vector<double> processor_sharing_responses(const Workload &workload) {
    using Leaving = std::pair<double, std::size_t>; // at this service; place in the workload
    std::priority_queue<Leaving, std::vector<Leaving>, std::greater<>> present;
    std::vector<double> responses(workload.jobs.size());
    double now = 0;
    double service = 0;

    // Ends all jobs that leave by then.
    const auto serve_until = [&](double time, bool for_ever) {
        while (!present.empty()) {
            const auto [at, place] = present.top();
            const double end = now + (at - service) * static_cast<double>(present.size());
            if (!for_ever && end > time) {
                service += (time - now) / static_cast<double>(present.size());
                break;
            }
            present.pop();
            service = at;
            now = end;
            responses[place] = end - static_cast<double>(workload.jobs[place].submit);
        }
        now = time;
    };

    for (std::size_t place = 0; place < workload.jobs.size(); place++) {
        const Job &job = workload.jobs[place];
        serve_until(static_cast<double>(job.submit), false);
        present.emplace(service + static_cast<double>(job.runtime), place);
    }
    serve_until(0, true);
    return responses;
}

} // namespace vmall::sim::mesh
