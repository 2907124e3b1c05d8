// SPDX-License-Identifier: GPL-2.0-or-later
//
// As many companies as there are different users, accounts or partitions.
#include "plugins/sched_fjt/see/companies.hpp"

namespace vmall::sched {

int Companies::of(const JobView &job) {
    if (!job.lends_whole_nodes())
        return 0;
    const int next = static_cast<int>(numbers_.size()) + 1;
    return numbers_.emplace(in_common(job), next).first->second;
}

// Those of different kinds never meet: there is one setting. A job that nobody joins has its number
// in common with itself, as no account is called.
std::string Companies::in_common(const JobView &job) const {
    switch (lend_) {
    case config::LendWholeNodes::user:
        return std::to_string(job.user_id);
    case config::LendWholeNodes::account:
        if (!job.account.empty())
            return job.account;
        break;
    case config::LendWholeNodes::partition:
        return job.partition;
    case config::LendWholeNodes::yes:
        return {};
    case config::LendWholeNodes::no: // any more: it grows, and is joined by nobody
        break;
    }
    return "\n" + std::to_string(job.id);
}

} // namespace vmall::sched
