// SPDX-License-Identifier: GPL-2.0-or-later
//
// The class of a job, which options, messages and policies know.
#pragma once

namespace vmall::common {

enum class JobClass { short_job, long_job };

} // namespace vmall::common
