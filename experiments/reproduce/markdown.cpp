// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces of Markdown.
#include "experiments/reproduce/markdown.hpp"

#include <cctype>

namespace vmall::sim::reproduce {

std::string joined(const std::vector<std::string> &texts, const std::string &between) {
    std::string all;
    for (std::size_t i = 0; i < texts.size(); i++)
        all += (i == 0 ? "" : between) + texts[i];
    return all;
}

std::string row(const std::vector<std::string> &cells) {
    return "| " + joined(cells, " | ") + " |\n";
}

std::string header(const std::vector<std::string> &cells) {
    return row(cells) + row(std::vector<std::string>(cells.size(), "---"));
}

std::string link_to_heading(const std::string &heading) {
    std::string anchor;
    for (const char c : heading)
        anchor += std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? std::string(1, c) : "";
    return "[" + heading + "](#" + anchor + ")";
}

} // namespace vmall::sim::reproduce
