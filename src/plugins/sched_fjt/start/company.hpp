// SPDX-License-Identifier: GPL-2.0-or-later
//
// Beside whom a job can be that has whole nodes and lends cores of them.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"
#include "slurmglue/company.h"

#include <optional>

namespace vmall::sched {

// As LendWholeNodes of vmall.conf says; nothing, if it is no such job.
std::optional<vmall_company> lends_to(const View &view, const JobView &job);

} // namespace vmall::sched
