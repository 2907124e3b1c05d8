// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents that deal their nodes' cores themselves (mode=node) say to each other of a job on
// several nodes, which is to be folded alike on all. Encoded and decoded as messages.hpp says.
#pragma once

#include "wire/messages.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace vmall::wire {

// An agent → that of the job's first node.
struct Wish {
    std::uint32_t job_id = 0; // 1 to highest_id
    std::string node;         // whose agent says it
    std::uint32_t mpl = 1;    // 1 to highest_target_mpl: how deep it would be folded there
    bool is_fixed = false;    // it is, and cannot be moved
};

// The answer, on the same connection.
struct Agreed {
    std::uint32_t job_id = 0;
    std::uint32_t mpl = 0; // how deep it is folded on all of its nodes; 0: not known
};

std::string encode(const Wish &wish);
std::string encode(const Agreed &agreed);
// Nothing if the message is another one.
std::optional<Wish> decode_wish(const std::string &json);
Agreed decode_agreed(const std::string &json);

} // namespace vmall::wire
