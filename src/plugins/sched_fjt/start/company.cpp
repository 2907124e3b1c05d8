// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is where is slurmglue's to say.
#include "plugins/sched_fjt/start/company.hpp"

namespace vmall::sched {

namespace {

vmall_company company(config::LendWholeNodes lend) {
    switch (lend) {
    case config::LendWholeNodes::user:
        return VMALL_SAME_USER;
    case config::LendWholeNodes::account:
        return VMALL_SAME_ACCOUNT;
    case config::LendWholeNodes::partition:
        return VMALL_SAME_PARTITION;
    case config::LendWholeNodes::yes:
        return VMALL_ANY_COMPANY;
    case config::LendWholeNodes::no:
        break;
    }
    return VMALL_NO_COMPANY;
}

} // namespace

std::optional<vmall_company> lends_to(const View &view, const JobView &job) {
    if (!job.lends_whole_nodes())
        return std::nullopt;
    return company(view.rules.lend_whole_nodes);
}

} // namespace vmall::sched
