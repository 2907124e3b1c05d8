// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the ranks of a folded job share its CPUs: what vmall.conf sets for a node and --vm-runtime
// for a job. The words are the same in both; the numbers are those of the control block.
#pragma once

#include "layout/control_block.h"

#include <optional>
#include <string>

namespace vmall::config {

struct RuntimeSettings {
    vmall_coscheduling coscheduling = VMALL_COSCHEDULING_SELF;
    vmall_next_rank next_rank = VMALL_NEXT_ROUND_ROBIN;
    vmall_run_queues run_queues = VMALL_QUEUES_DETECTED;
};

// What a job asks for; the rest is the node's.
struct RuntimeRequest {
    std::optional<vmall_coscheduling> coscheduling;
    std::optional<vmall_next_rank> next_rank;
    std::optional<vmall_run_queues> run_queues;
    std::optional<int> signal; // that its tasks get when the allotment has changed

    friend bool operator==(const RuntimeRequest &left, const RuntimeRequest &right);
};

// One word each, in any case: self, none; round-robin, messages, sender; local, kernel, detect.
// Throw std::runtime_error with what there is.
vmall_coscheduling parse_coscheduling(const std::string &text);
vmall_next_rank parse_next_rank(const std::string &text);
vmall_run_queues parse_run_queues(const std::string &text);
int parse_signal(const std::string &text); // usr1, usr2, hup, cont, urg, winch

// --vm-runtime: `coscheduling=`, `next=`, `queues=` and `signal=` with a word from above, each at
// most once, separated by commas. Throws std::runtime_error with a reason a user understands.
RuntimeRequest parse_runtime_request(const std::string &text);

// A text that parse_runtime_request() makes the same of; empty if nothing is asked for.
std::string in_words(const RuntimeRequest &request);

// The node's settings with what the job asks for in their place.
RuntimeSettings merge(RuntimeSettings node, const RuntimeRequest &job);

} // namespace vmall::config
