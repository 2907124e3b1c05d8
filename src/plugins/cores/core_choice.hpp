// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores of a node stay with a job that shrinks, and which it gets when it grows.
#pragma once

#include <cstdint>
#include <vector>

namespace vmall::cores {

using Cores = std::vector<std::uint32_t>; // core numbers within a node, ascending, without repeats

// `count` of the cores in `held`: those closest together, in as few sockets as possible, the lowest
// of equals. All of them if `count` is not fewer.
Cores keep(const Cores &held, std::uint32_t cores_per_socket, std::size_t count);

// `held` and as many of `free` as make it `count`: first in sockets the job is in already, then
// near to what it holds, then the lowest. So a job that unfolds gets back what it gave, if nobody
// else has it by then. Fewer if `free` does not suffice.
Cores extend(const Cores &held, const Cores &free, std::uint32_t cores_per_socket,
             std::size_t count);

} // namespace vmall::cores
