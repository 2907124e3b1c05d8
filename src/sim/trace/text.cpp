// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text taken apart, and numbers with a fraction, the same in every locale.
#include "sim/trace/text.hpp"

#include "config/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace vmall::sim {

namespace {

constexpr std::int64_t longest_time = 1000LL * 366 * 24 * 60 * 60; // seconds

bool digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<double> decimal_number(std::string_view text) {
    if (text.empty() || !digit(text.front()) || !digit(text.back()) ||
        !std::all_of(text.begin(), text.end(), [](char c) { return digit(c) || c == '.'; }))
        return std::nullopt;
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return number;
}

std::optional<std::int64_t> milliseconds(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto seconds = config::whole_number(text.substr(0, point), 0, longest_time);
    if (!seconds || text.back() == '.')
        return std::nullopt;
    std::int64_t result = *seconds * 1000;
    std::int64_t weight = 100;
    for (std::size_t i = point + 1; i < text.size(); ++i, weight /= 10) {
        if (!digit(text[i]))
            return std::nullopt;
        result += (text[i] - '0') * weight;
        if (i == point + 4 && text[i] >= '5')
            ++result;
    }
    return result;
}

std::string seconds_text(std::int64_t milliseconds) {
    std::string text = std::to_string(milliseconds / 1000);
    if (const auto rest = milliseconds % 1000; rest != 0) {
        std::string fraction = std::to_string(1000 + rest).substr(1);
        fraction.erase(fraction.find_last_not_of('0') + 1);
        text += "." + fraction;
    }
    return text;
}

std::string shortest_text(double number) {
    std::array<char, 400> text;
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc())
        throw std::system_error(std::make_error_code(error));
    return std::string(text.data(), end);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

} // namespace vmall::sim
