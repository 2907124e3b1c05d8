// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps what the agent made, after a look at whose it is: root's, or nobody's in a user namespace
// that does not know root. No mapping is ever undone: it is needed until the process ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vmall::runtime {

// Read-only. Null if `path` is not a regular file of root's that only root can write (symbolic
// links are not followed) with at least `bytes`.
const void *map_file(const char *path, std::size_t bytes);

// The System V segment with this key. Null if it was not made by root for us alone with at least
// `bytes`, as where we have IPC objects of our own.
void *attach_segment(std::uint32_t key, std::size_t bytes);

} // namespace vmall::runtime
