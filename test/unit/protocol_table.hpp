// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables of doc/protocol.md. $SOURCE is the tree.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace vmall::test {

inline std::vector<std::string> split(const std::string &text, const std::string &separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos;
         begin = end + separator.size())
        parts.push_back(text.substr(begin, end - begin));
    parts.push_back(text.substr(begin));
    return parts;
}

// Rows of tables of states and events under this heading that have so many columns, cell by cell;
// of the last one with the bar that ends it.
inline std::vector<std::vector<std::string>> rows_of_protocol(const std::string &heading,
                                                              std::size_t columns) {
    std::ifstream page(std::string(std::getenv("SOURCE")) + "/doc/protocol.md");
    std::vector<std::vector<std::string>> rows;
    bool is_here = false;
    for (std::string line; std::getline(page, line);) {
        if (line.rfind("## ", 0) == 0)
            is_here = line == "## " + heading;
        if (!is_here || line.rfind("| ", 0) != 0)
            continue;
        std::vector<std::string> cells = split(line.substr(2), " | ");
        if (cells.size() == columns && cells[1] != "event")
            rows.push_back(std::move(cells));
    }
    return rows;
}

} // namespace vmall::test
