// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why jobs wait, in words for people.
#include "policy/reasons.hpp"

namespace vmall::policy::reasons {

std::string cores(const WaitingJob &job) {
    if (job.whole_nodes) {
        return "waits for whole nodes";
    }
    const int count = job.sizes.front() * job.cores_per_process;
    return "waits for " + std::to_string(count) + (count == 1 ? " core" : " cores");
}

std::string would_delay(JobId head) {
    return "would delay job " + std::to_string(head.value);
}

std::string long_behind(JobId head) {
    return "is behind job " + std::to_string(head.value) + ", only short jobs may pass";
}

} // namespace vmall::policy::reasons
