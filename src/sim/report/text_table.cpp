// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tables for people.
#include "sim/report/text_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace vmall::sim {

std::string text_table(const std::vector<std::vector<std::string>> &lines) {
    std::vector<std::size_t> widths(lines.empty() ? 0 : lines.front().size());
    for (const auto &line : lines)
        for (std::size_t column = 0; column < widths.size(); column++)
            widths[column] = std::max(widths[column], line.at(column).size());
    std::string text;
    for (const auto &line : lines) {
        for (std::size_t column = 0; column < widths.size(); column++) {
            const std::string blanks(widths[column] - line[column].size(), ' ');
            text += column == 0 ? line[column] + blanks : "  " + blanks + line[column];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

std::string fixed(double value, int digits) {
    std::array<char, 400> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                            std::chars_format::fixed, digits);
    if (error != std::errc())
        throw std::system_error(std::make_error_code(error));
    return std::string(text.data(), end);
}

} // namespace vmall::sim
