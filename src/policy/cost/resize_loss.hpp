// SPDX-License-Identifier: GPL-2.0-or-later
//
// What resizes cost a job, beside what having fewer cores does: at most a share of its run time, by
// a budget that its run time fills. It begins full, and is as large as what ten minutes fill: so
// one job can be folded for many short ones in a row, and then as often as it earns.
#pragma once

#include <cstdint>

namespace vmall::policy {

// A share of the run time that resizes may cost, in percent, which is no limit.
inline constexpr int no_resize_limit = 100;

// Of one run of a job. Times are in milliseconds; `ran` is the job's own time, which stands while
// it is suspended; `percent` is the share, 0 to no_resize_limit.
struct ResizeLoss {
    std::int64_t owed = 0; // taken from the full budget, at `since`
    std::int64_t since = 0;

    void note_fold(std::int64_t ran, int percent);
    // Until the budget allows another fold: 0 if it does, `never` if it never will.
    std::int64_t until_next_fold(std::int64_t ran, int percent) const;

  private:
    std::int64_t owed_at(std::int64_t ran, int percent) const;
};

} // namespace vmall::policy
