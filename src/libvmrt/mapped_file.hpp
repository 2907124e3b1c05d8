// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps a file of the agent's, after a look at whose it is.
#pragma once

#include <cstddef>

namespace vmall::runtime {

enum class Access {
    read_roots, // read-only; root's, and only root can write it
    share_ours, // read and write; ours, and nobody else can
};

// Null if `path` is not a regular file of that kind (symbolic links are not followed) with at least
// `bytes`. The mapping is never undone: it is needed until the process ends.
void *map_file(const char *path, Access access, std::size_t bytes);

} // namespace vmall::runtime
