// SPDX-License-Identifier: GPL-2.0-or-later
//
// The latest events of the history, for vmctl: as text, since that is what they are asked for.
#pragma once

#include "plugins/sched_fjt/account/viewer.hpp"
#include "wire/query.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vmall::sched {

// Any thread may call any function. Whom a viewer sees is looked up without holding up others.
class EventList {
  public:
    // `line` is encode_row() of it.
    void add(const wire::HistoryRow &row, std::string line);

    // Drops the oldest until the lines of the others have no more bytes.
    void keep_within(std::size_t highest_bytes);

    // JSON of Query::job, since and after; the oldest first.
    std::string page(const wire::Query &query, Viewer viewer,
                     std::size_t highest_bytes = wire::highest_payload_bytes) const;

  private:
    struct Kept {
        std::uint64_t number; // from 1 up
        std::int64_t time;
        std::uint32_t job;
        std::uint32_t for_job; // 0: none
        std::uint32_t user;
        std::string account;
        std::string line;
    };
    using Batch = std::vector<std::shared_ptr<const Kept>>;

    static bool is_asked_for(const Kept &kept, const wire::Query &query, Viewer &viewer);
    Batch next_after(std::uint64_t number) const;

    mutable std::mutex mutex_;
    std::deque<std::shared_ptr<const Kept>> kept_;
    std::size_t bytes_ = 0;
    std::uint64_t last_number_ = 0;
};

} // namespace vmall::sched
