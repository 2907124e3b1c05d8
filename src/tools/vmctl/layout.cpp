// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text as it is shown to people.
#include "tools/vmctl/layout.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <slurm/slurm.h>
#include <type_traits>

namespace vmall::vmctl {

std::string lay_out(const std::vector<Line> &lines, const std::vector<bool> &is_number,
                    bool coloured) {
    std::vector<std::size_t> widths(is_number.size());
    for (const Line &line : lines)
        for (std::size_t column = 0; column < line.size(); ++column)
            widths[column] = std::max(widths[column], line[column].text.size());
    std::string text;
    for (const Line &line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column) {
            const std::string blanks(widths[column] - line[column].text.size(), ' ');
            const std::string cell = text_of(line[column], coloured);
            const bool last = column + 1 == line.size();
            text += is_number[column] ? blanks + cell : cell + (last ? "" : blanks);
            text += last ? "\n" : " ";
        }
    }
    return text;
}

std::string printable(const std::string &text) {
    std::string result;
    for (const unsigned char c : text) {
        const bool continues_character = (c & 0xc0) == 0x80;
        if (!continues_character)
            result += c >= ' ' && c < 0x7f ? static_cast<char>(c) : '?';
    }
    return result;
}

std::string ranged(const std::vector<std::string> &nodes) {
    const auto destroy = [](auto list) { slurm_hostlist_destroy(list); };
    const std::unique_ptr<std::remove_pointer_t<decltype(slurm_hostlist_create(nullptr))>,
                          decltype(destroy)>
        list(slurm_hostlist_create(nullptr), destroy);
    for (const std::string &node : nodes)
        if (!list || !slurm_hostlist_push_host(list.get(), node.c_str()))
            throw std::bad_alloc();
    std::string text(64, '\0');
    ssize_t length = -1;
    while ((length = slurm_hostlist_ranged_string(list.get(), text.size(), text.data())) < 0)
        text.resize(2 * text.size()); // it did not fit
    text.resize(static_cast<std::size_t>(length));
    return text;
}

} // namespace vmall::vmctl
