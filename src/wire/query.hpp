// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl asks the controller and what it is told (doc/protocol.md). Decoding is as strict as
// that of messages.hpp.
#pragma once

#include "wire/history_rows.hpp"
#include "wire/job_rows.hpp"
#include "wire/query_refused.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmall::wire {

enum class Ask { jobs, queue, left_out, history, stats, metrics, config, installation, set };

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
    PageStart from = {}; // of Ask::jobs, Ask::queue and Ask::left_out: where the page begins
    // Of Ask::history:
    std::uint32_t job = 0;   // only what happened to this job, or made room for it; 0: to all
    std::int64_t since = 0;  // only from then on: seconds since the epoch
    std::uint64_t after = 0; // what decode_rest() says of the page before; 0: the first
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

std::string encode(const Query &query);
bool is_query(const std::string &json); // or else another message, such as a target
std::string encode(const std::vector<SettingRow> &config);
std::string encode(const std::vector<Stat> &stats); // in the order in which they are to be shown
std::string encode_error(const std::string &reason);

Query decode_query(const std::string &json); // of at most highest_query_bytes
// Throw QueryRefused if the answer is an error.
std::vector<SettingRow> decode_config(const std::string &json); // also what Ask::set answers
std::vector<Stat> decode_stats(const std::string &json);

} // namespace vmall::wire
