// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of jobs that vmctl is told, in pages: a list may be longer than a message. Decoding is as
// strict as that of messages.hpp.
#pragma once

#include "common/job_class.hpp"
#include "common/restraint.hpp"
#include "common/sizes.hpp"
#include "control/messages.hpp"
#include "control/seal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::control {

struct NodeCores {
    std::string node;
    std::uint32_t cores = 0; // the job has there now, at least 1
};

// A running, virtually malleable job.
struct JobRow {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string name; // the user's choice: show it, trust nothing in it
    common::JobClass job_class = common::JobClass::short_job;
    std::uint32_t processes = 0;  // at least 1
    std::vector<NodeCores> nodes; // not empty
    std::uint32_t full_cores = 0; // of the unfolded job over all nodes, at least 1
    std::uint32_t mpl = 1;        // 1 to highest_target_mpl
    bool backfilled = false;
    std::optional<std::int64_t> window_end; // of a backfilled job, in seconds since the epoch
    Generation generation_wanted = 0;       // of the last target that was sent
    Generation generation_applied = 0;      // that every node has confirmed
    bool resize_pending = false;            // some node has not confirmed yet
    std::uint64_t core_seconds = 0;         // that it has held since it started
    std::uint64_t folds = 0;
    std::uint64_t unfolds = 0;
    std::optional<RankReport> ranks = {}; // as the nodes said last
    // Of its ranks' time on cores of their own, what they do not wait: 1 to 100.
    std::optional<int> useful_percent = {};
    std::optional<int> useful_last_percent = {}; // likewise, in the last interval
    // For what resizes have cost it, it is folded no deeper until then; in seconds since the epoch.
    std::optional<std::int64_t> folds_again_at = {};
    // What keeps it from being folded deeper, if something does.
    std::optional<common::Restraint> restraint = {};
};

// A virtually malleable job that waits, and could start as far as Slurm's limits go.
struct WaitingRow {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string name; // the user's choice
    common::JobClass job_class = common::JobClass::short_job;
    std::string partition;
    common::Sizes sizes;        // process counts it accepts: from 1 up, not empty
    std::string reason;         // in words
    std::uint32_t position = 0; // in the queue
    // If nobody is folded for it (policy/expected_starts.hpp), in seconds since the epoch.
    std::optional<std::int64_t> expected_start = {};
};

// A job that asked to be virtually malleable, or was to be by TakePart, and is not.
struct LeftOutRow {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string reason; // in words, what follows "Job 42"
};

// Where a page begins: with the first job whose id is not lower. Of that job itself so many nodes
// have been told before.
struct Place {
    std::uint32_t job_id = 0;
    std::uint32_t node = 0;

    friend bool operator<(const Place &one, const Place &other);
};

// As one page, however long.
std::string encode(const std::vector<JobRow> &jobs);
std::string encode(const std::vector<WaitingRow> &queue);
std::string encode(const std::vector<LeftOutRow> &left_out);
// A page of at most so many bytes, which are to be enough for what stands in a row beside nodes.
// The rows are those of the whole list, by ascending id.
std::string encode_page(const std::vector<JobRow> &jobs, const Place &from,
                        std::size_t highest_bytes = highest_payload_bytes);
std::string encode_page(const std::vector<WaitingRow> &queue, const Place &from,
                        std::size_t highest_bytes = highest_payload_bytes);
std::string encode_page(const std::vector<LeftOutRow> &left_out, const Place &from,
                        std::size_t highest_bytes = highest_payload_bytes);

// Throw QueryRefused if the answer is an error.
std::vector<JobRow> decode_jobs(const std::string &json);
std::vector<WaitingRow> decode_queue(const std::string &json);
std::vector<LeftOutRow> decode_left_out(const std::string &json);
// Where the page after this one begins; nothing if it is the last.
std::optional<Place> decode_next(const std::string &json);

// Adds a page to those before it. What a list has all the time while it is asked for is in it once,
// whatever else comes and goes meanwhile.
void append(std::vector<JobRow> &jobs, std::vector<JobRow> page);
void append(std::vector<WaitingRow> &queue, std::vector<WaitingRow> page); // by position
void append(std::vector<LeftOutRow> &left_out, std::vector<LeftOutRow> page);

} // namespace vmall::control
