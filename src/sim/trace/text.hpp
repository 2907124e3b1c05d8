// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text taken apart, and numbers with a fraction, the same in every locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vmall::sim {

// Digits with at most one point among or after them; no sign, no exponent.
std::optional<double> decimal_number(std::string_view text);

// Seconds as text (digits, perhaps a fraction) in milliseconds, rounded; at most a thousand years.
std::optional<std::int64_t> milliseconds(std::string_view text);

// The other way: "12", "12.5".
std::string seconds_text(std::int64_t milliseconds);

// The shortest text that decimal_number() reads as the same number; 0 or more.
std::string shortest_text(double number);

// Without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

} // namespace vmall::sim
