// SPDX-License-Identifier: GPL-2.0-or-later
//
// Amounts of memory as Slurm's commands print and take them: 512K, 4000M, 1.50G.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vmall::sim {

inline constexpr std::int64_t most_memory = std::int64_t{1} << 50; // KiB

// In KiB, rounded up, at most `most_memory`. `unit` (K, M, G, T or P) is that of a number without.
// Nothing if it is no such amount.
std::optional<std::int64_t> parse_memory(std::string_view text, char unit);

} // namespace vmall::sim
