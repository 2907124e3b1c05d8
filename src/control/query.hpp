// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl asks the controller and what it is told (doc/protocol.md). Decoding is as strict as
// that of messages.hpp.
#pragma once

#include "common/job_class.hpp"
#include "control/messages.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmall::control {

enum class Ask { jobs, queue, stats, config, installation, set };

// A key of vmall.conf and its value, as text.
struct Setting {
    std::string key;
    std::string value;
};

inline constexpr std::size_t highest_query_bytes = 64u << 10; // anybody may ask
inline constexpr std::size_t highest_setting_count = 64;
inline constexpr std::size_t highest_setting_bytes = 4096; // of a value

struct Query {
    Ask ask = Ask::jobs;
    std::vector<Setting> settings = {}; // of Ask::set: 1 to highest_setting_count, whose keys and
                                        // values are not checked
};

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
    std::optional<RankReport> ranks = {}; // as the nodes said when they last confirmed a target
};

// A virtually malleable job that waits, and could start as far as Slurm's limits go.
struct WaitingRow {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::string name; // the user's choice
    common::JobClass job_class = common::JobClass::short_job;
    std::string partition;
    std::vector<std::uint32_t> sizes; // process counts it accepts: ascending, not empty
    std::string reason;               // in words
};

// What holds now for a key of vmall.conf.
struct SettingRow {
    std::string key;
    std::string value; // empty: none
    std::string from;  // where it was set
};

// One counter (since the controller started) or gauge.
struct Stat {
    std::string name; // lower case with underscores
    std::uint64_t value = 0;
    std::string help; // one sentence for people
};

// Whoever is asked understood the query and does not answer it; what() is its reason.
class QueryRefused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

std::string encode(const Query &query);
bool is_query(const std::string &json); // or else another message, such as a target
std::string encode(const std::vector<JobRow> &jobs);
std::string encode(const std::vector<WaitingRow> &queue); // in its order
std::string encode(const std::vector<SettingRow> &config);
std::string encode(const std::vector<Stat> &stats); // in the order in which they are to be shown
std::string encode_error(const std::string &reason);

Query decode_query(const std::string &json); // of at most highest_query_bytes
// Throw QueryRefused if the answer is an error.
std::vector<JobRow> decode_jobs(const std::string &json);
std::vector<WaitingRow> decode_queue(const std::string &json);
std::vector<SettingRow> decode_config(const std::string &json); // also what Ask::set answers
std::vector<Stat> decode_stats(const std::string &json);

} // namespace vmall::control
