// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text with an emphasis.
#include "tools/vmctl/style.hpp"

#include <cstdlib>
#include <unistd.h>

namespace vmall::vmctl {

namespace {

const char *escape(Style style) {
    switch (style) {
    case Style::plain:
        break;
    case Style::title:
        return "\x1b[7m";
    case Style::held:
        return "\x1b[32m";
    case Style::lent:
        return "\x1b[33m";
    case Style::strong:
        return "\x1b[1m";
    case Style::wrong:
        return "\x1b[1;31m";
    }
    return "";
}

} // namespace

bool wants_colours(int fd) {
    const char *no_color = std::getenv("NO_COLOR");
    return isatty(fd) && !(no_color && *no_color);
}

std::string text_of(const Span &span, bool coloured) {
    if (!coloured || span.style == Style::plain)
        return span.text;
    return escape(span.style) + span.text + "\x1b[m";
}

std::string text_of(const std::vector<Line> &lines, bool coloured) {
    std::string text;
    for (const Line &line : lines) {
        for (const Span &span : line)
            text += text_of(span, coloured);
        text += '\n';
    }
    return text;
}

} // namespace vmall::vmctl
