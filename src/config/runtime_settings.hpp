// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the ranks of a folded job share its CPUs: what vmall.conf sets for a node and --vm-runtime
// for a job. The words are the same in both; the numbers are those of the control block.
#pragma once

#include "layout/control_block.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vmall::config {

inline constexpr int highest_spin_us = 1000000;

struct RuntimeSettings {
    vmall_coscheduling coscheduling = VMALL_COSCHEDULING_SELF;
    vmall_waiting waiting = VMALL_WAITING_BLOCK;
    std::uint32_t spin_us = 50; // of VMALL_WAITING_SPIN; 1 to highest_spin_us
    vmall_next_rank next_rank = VMALL_NEXT_ROUND_ROBIN;
    vmall_run_queues run_queues = VMALL_QUEUES_DETECTED;
};

// What a job asks for; the rest is the node's.
struct RuntimeRequest {
    std::optional<vmall_coscheduling> coscheduling;
    std::optional<vmall_waiting> waiting;
    std::optional<std::uint32_t> spin_us;
    std::optional<vmall_next_rank> next_rank;
    std::optional<vmall_run_queues> run_queues;
    std::optional<int> signal; // that its tasks get when the allotment has changed

    friend bool operator==(const RuntimeRequest &left, const RuntimeRequest &right);
};

// One word each, in any case: self, none; block, spin; round-robin, messages,
// sender, affinity; local, global, kernel, detect. Throw std::runtime_error with what there is.
vmall_coscheduling parse_coscheduling(const std::string &text);
vmall_waiting parse_waiting(const std::string &text);
vmall_next_rank parse_next_rank(const std::string &text);
vmall_run_queues parse_run_queues(const std::string &text);
int parse_signal(const std::string &text); // usr1, usr2, hup, cont, urg, winch
std::uint32_t parse_spin_us(const std::string &text);

// --vm-runtime: `coscheduling=`, `waiting=`, `next=`, `queues=` and `signal=` with a word from
// above, each at most once, separated by commas; spin may have a time, `waiting=spin:50`. Throws
// std::runtime_error with a reason a user understands.
RuntimeRequest parse_runtime_request(const std::string &text);

// A text that parse_runtime_request() makes the same of; empty if nothing is asked for.
std::string in_words(const RuntimeRequest &request);

// The node's settings with what the job asks for in their place.
RuntimeSettings merge(RuntimeSettings node, const RuntimeRequest &job);

} // namespace vmall::config
