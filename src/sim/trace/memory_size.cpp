// SPDX-License-Identifier: GPL-2.0-or-later
//
// A number and the letter of its unit.
#include "sim/trace/memory_size.hpp"

#include "sim/trace/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace vmall::sim {

std::optional<std::int64_t> parse_memory(std::string_view text, char unit) {
    if (!text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0) {
        unit = text.back();
        text.remove_suffix(1);
    }
    constexpr std::string_view units = "KMGTP";
    const std::size_t power =
        units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit))));
    const auto number = decimal_number(text);
    if (!number || power == std::string_view::npos)
        return std::nullopt;
    const double kibibytes = std::ceil(std::ldexp(*number, static_cast<int>(10 * power)));
    return static_cast<std::int64_t>(std::min(kibibytes, static_cast<double>(most_memory)));
}

} // namespace vmall::sim
