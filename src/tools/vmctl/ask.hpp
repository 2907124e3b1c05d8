// SPDX-License-Identifier: GPL-2.0-or-later
//
// One question to the scheduler plugin, and its answer.
#pragma once

#include "wire/query.hpp"
#include "wire/seal.hpp"

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::vmctl {

// Where the scheduler plugin may be, and how to know that it is the one.
struct Controller {
    std::vector<std::string> hosts; // tried in turn: the first is the primary, not empty
    int port = 0;
    uid_t user = 0; // SlurmUser: only it can read the question, and only it or root may answer
    std::string munge_socket; // empty: munge's default
};

// "head:7851", or "head,backup:7851".
std::string name_of(const Controller &controller);

// Its payload is the answer's JSON (decode_jobs, decode_stats). Throws wire::ChannelError if no
// host answers in `patience` each, munge refuses, or somebody else answered.
wire::Opened ask(const Controller &controller, const wire::Query &query,
                 std::chrono::milliseconds patience);

// All pages of a list of jobs, at least one. Throws wire::MessageError, too, if they are none.
std::vector<std::string> ask_for_pages(const Controller &controller, wire::Ask list,
                                       std::chrono::milliseconds patience);

// The history that a query asks for, page by page.
std::vector<wire::HistoryRow> ask_for_history(const Controller &controller, wire::Query query,
                                              std::chrono::milliseconds patience);

} // namespace vmall::vmctl
