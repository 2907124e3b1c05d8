// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of core and CPU indices as Slurm and the kernel write them: `0-3,8`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vmall::spank_vm {

inline constexpr std::uint32_t highest_index = 65535;

// Ascending, without repeats; empty for an empty text. Throws std::invalid_argument on anything
// that is not such a list or has an index over highest_index.
std::vector<std::uint32_t> parse_index_list(const std::string &text);

std::string format_index_list(const std::vector<std::uint32_t> &indices);

} // namespace vmall::spank_vm
