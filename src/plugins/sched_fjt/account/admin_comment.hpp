// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job's AdminComment says of it: "vmall: class=short mpl=4 folds=1".
#pragma once

#include "policy/model.hpp"

#include <cstdint>
#include <string>

namespace vmall::sched {

// The comment with our note of the job's class, its MPL, and how often it was folded. A note that
// is there is replaced; else it is put behind what the site wrote, after "; ". Not a character of
// the site's changes.
std::string with_note(const std::string &comment, policy::JobClass job_class, int mpl,
                      std::uint64_t folds);

} // namespace vmall::sched
