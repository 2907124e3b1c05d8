// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers and words as people type them into options and vmall.conf.
#include "config/number.hpp"

#include <algorithm>
#include <charconv>

namespace vmall::config {

std::optional<long long> whole_number(std::string_view text, long long lowest, long long highest) {
    const char *end = text.data() + text.size();
    if (text.empty() || text.front() < '0' || text.front() > '9')
        return std::nullopt;
    long long value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < lowest || value > highest)
        return std::nullopt;
    return value;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 64;
    std::string shown(text.substr(0, longest));
    std::replace_if(
        shown.begin(), shown.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
    return '"' + shown + (text.size() > longest ? "...\"" : "\"");
}

} // namespace vmall::config
