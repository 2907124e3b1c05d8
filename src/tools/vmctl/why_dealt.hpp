// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a job has the cores that it has where agents deal them (mode=node): in sentences.
#pragma once

#include "wire/job_rows.hpp"

#include <string>
#include <vector>

namespace vmall::vmctl {

// None: who tells of the job does not deal.
std::vector<std::string> explain_deals(const wire::JobRow &job);

} // namespace vmall::vmctl
