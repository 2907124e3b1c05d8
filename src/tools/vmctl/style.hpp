// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text with an emphasis, which a terminal may show as a colour.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vmall::vmctl {

enum class Style {
    plain,
    title,  // above a column
    held,   // cores that a job has
    lent,   // cores that it gave up
    strong, // what to look at first
    wrong,
};

// Of printable ASCII characters, as many as columns of the terminal.
struct Span {
    Span(std::string its_text, Style its_style = Style::plain)
        : text(std::move(its_text)), style(its_style) {}
    Span(const char *its_text, Style its_style = Style::plain) : text(its_text), style(its_style) {}

    std::string text;
    Style style;
};

using Line = std::vector<Span>;

// Whether the descriptor is of a terminal, and NO_COLOR is not in the environment, or empty there.
bool wants_colours(int fd);

// With the escape sequences of ANSI terminals, if it shall be coloured.
std::string text_of(const Span &span, bool coloured);
std::string text_of(const std::vector<Line> &lines, bool coloured); // each ends with a line break

} // namespace vmall::vmctl
