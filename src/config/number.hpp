// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers and words as people type them into options and vmall.conf.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vmall::config {

// Decimal digits only (no sign, no space), from lowest to highest inclusive; anything else is
// nullopt, also what would overflow.
std::optional<long long> whole_number(std::string_view text, long long lowest, long long highest);

// ASCII letters only, whatever the locale.
std::string lower_case(std::string_view text);

// The text in quotes for an error message, cut if it is long, unprintable bytes shown as '?'.
std::string quoted(std::string_view text);

} // namespace vmall::config
