// SPDX-License-Identifier: GPL-2.0-or-later
//
// What was done to virtually malleable jobs and what became of them: rows that sched/fjt keeps in a
// file and tells vmctl, in pages. Decoding is as strict as that of messages.hpp.
#pragma once

#include "common/cause.hpp"
#include "common/job_class.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::wire {

enum class Event {
    started,
    seen, // it ran already when it was seen first
    folded,
    unfolded,
    requeued, // because its window had expired
    ended     // a run of it, by itself or because somebody ended it
};

const char *name_of(Event event);

// What a run of a job cost and gained. Seconds of suspension do not count.
struct Balance {
    std::uint64_t core_seconds = 0;      // that it held
    std::uint64_t core_seconds_lent = 0; // that it would have held beside those, had it not been
                                         // folded
    std::uint64_t seconds_folded = 0;    // of its run time
    std::uint64_t seconds_lost = 0;      // of its run time, to folding
    std::uint64_t folds = 0;
    std::uint64_t unfolds = 0;
};

struct HistoryRow {
    std::int64_t time = 0;    // seconds since the epoch
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string account; // empty: none
    std::string name;    // the user's choice, cut
    common::JobClass job_class = common::JobClass::short_job;
    Event event = Event::started;
    std::uint32_t processes = 1;    // at least 1
    std::uint32_t full_cores = 1;   // of the unfolded job, at least 1
    std::uint32_t cores_before = 0; // over all nodes
    std::uint32_t cores_after = 0;
    std::uint32_t mpl = 1;                // afterwards; when it has ended, before: from 1 up
    std::optional<common::Cause> cause;   // of a start, a resize or a requeue
    std::optional<std::uint32_t> for_job; // that it makes room for
    std::optional<Balance> balance;       // of a run that has ended, if it is known
};

inline constexpr std::size_t longest_name_in_history = 40; // bytes

// A row as it stands in a file and in an answer, on one line without its end.
std::string encode_row(const HistoryRow &row);
HistoryRow decode_row(const std::string &line); // throws MessageError

// As one page, however long.
std::string encode(const std::vector<HistoryRow> &history);

// Throws QueryRefused if the answer is an error.
std::vector<HistoryRow> decode_history(const std::string &json);
// What Query::after of the next page is; nothing if it is the last.
std::optional<std::uint64_t> decode_rest(const std::string &json);

} // namespace vmall::wire
