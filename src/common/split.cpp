// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists in a text.
#include "common/split.hpp"

namespace vmall::common {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos)
            return parts;
        begin = end + 1;
    }
}

} // namespace vmall::common
