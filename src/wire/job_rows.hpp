// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of jobs that vmctl is told, in pages: a list may be longer than a message. Decoding is as
// strict as that of messages.hpp.
#pragma once

#include "common/job_class.hpp"
#include "common/restraint.hpp"
#include "common/sizes.hpp"
#include "wire/messages.hpp"
#include "wire/seal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::wire {

// What the agent of a node that deals its cores itself (mode=node) says of a job there.
struct Deal {
    // Jobs that Slurm gave some of the same cores there, as far as who asks may see them:
    // ascending, at most highest_company.
    std::vector<std::uint32_t> with;
    std::uint32_t mpl = 1; // how deep it would be folded there, 1 to highest_target_mpl
    // Of the cores that it has there, what it makes use of: 1 to 100, as measured last.
    std::optional<int> useful_percent = {};
    std::string fixed = {}; // why it cannot be moved there, what follows "where it"; empty: it can
};
inline constexpr std::size_t highest_company = 256;

struct NodeCores {
    std::string node;
    std::uint32_t cores = 0; // the job has there now, at least 1
    std::optional<Deal> deal = {};
};

// A running, virtually malleable job. Agents that deal cores themselves (mode=node) do not know
// all.
struct JobRow {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string name; // the user's choice: show it, trust nothing in it
    std::optional<common::JobClass> job_class = {};
    std::uint32_t processes = 0;  // at least 1
    std::vector<NodeCores> nodes; // not empty
    std::uint32_t full_cores = 0; // of the unfolded job over all nodes, at least 1
    std::uint32_t mpl = 1;        // 1 to highest_target_mpl
    bool backfilled = false;
    std::optional<std::int64_t> window_end; // of a backfilled job, in seconds since the epoch
    Generation generation_wanted = 0;       // of the last target that was sent
    Generation generation_applied = 0;      // that every node has confirmed
    bool resize_pending = false;            // some node has not confirmed yet
    std::optional<std::uint64_t> core_seconds = {}; // that it has held since it started
    std::optional<std::uint64_t> lost_seconds = {}; // of its run time, by being folded
    std::optional<std::uint64_t> folds = {};
    std::optional<std::uint64_t> unfolds = {};
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
struct PageStart {
    std::uint32_t job_id = 0;
    std::uint32_t node = 0;

    friend bool operator<(const PageStart &one, const PageStart &other);
};

// As one page, however long.
std::string encode(const std::vector<JobRow> &jobs);
std::string encode(const std::vector<WaitingRow> &queue);
std::string encode(const std::vector<LeftOutRow> &left_out);
// A page of at most so many bytes, which are to be enough for what stands in a row beside nodes.
// The rows are those of the whole list, by ascending id.
std::string encode_page(const std::vector<JobRow> &jobs, const PageStart &from,
                        std::size_t highest_bytes = highest_payload_bytes);
std::string encode_page(const std::vector<WaitingRow> &queue, const PageStart &from,
                        std::size_t highest_bytes = highest_payload_bytes);
std::string encode_page(const std::vector<LeftOutRow> &left_out, const PageStart &from,
                        std::size_t highest_bytes = highest_payload_bytes);

// Throw QueryRefused if the answer is an error.
std::vector<JobRow> decode_jobs(const std::string &json);
std::vector<WaitingRow> decode_queue(const std::string &json);
std::vector<LeftOutRow> decode_left_out(const std::string &json);
// Where the page after this one begins; nothing if it is the last.
std::optional<PageStart> decode_next(const std::string &json);

// Adds a page to those before it. What a list has all the time while it is asked for is in it once,
// whatever else comes and goes meanwhile.
void append(std::vector<JobRow> &jobs, std::vector<JobRow> page);
void append(std::vector<WaitingRow> &queue, std::vector<WaitingRow> page); // by position
void append(std::vector<LeftOutRow> &left_out, std::vector<LeftOutRow> page);

} // namespace vmall::wire
