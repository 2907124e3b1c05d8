// SPDX-License-Identifier: GPL-2.0-or-later
//
// The terminal as a screen, by ncurses.
#include "tools/vmctl/top/screen.hpp"

#include "tools/vmctl/top/grid.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

namespace vmall::vmctl::top {

namespace {

enum : short { colour_of_held = 1, colour_of_lent, colour_of_wrong };

constexpr std::size_t least_width = 40; // of lines; what the window has no room for is not drawn

void prepare_colours() {
    if (!wants_colours(STDOUT_FILENO) || !has_colors())
        return;
    start_color();
    use_default_colors();
    init_pair(colour_of_held, COLOR_GREEN, -1);
    init_pair(colour_of_lent, COLOR_YELLOW, -1);
    init_pair(colour_of_wrong, COLOR_RED, -1);
}

// Pairs that prepare_colours() did not make look like plain text.
attr_t attribute_of(Style style) {
    switch (style) {
    case Style::plain:
        break;
    case Style::title:
        return A_REVERSE;
    case Style::held:
        return static_cast<attr_t>(COLOR_PAIR(colour_of_held));
    case Style::lent:
        return static_cast<attr_t>(COLOR_PAIR(colour_of_lent));
    case Style::strong:
        return A_BOLD;
    case Style::wrong:
        return A_BOLD | static_cast<attr_t>(COLOR_PAIR(colour_of_wrong));
    }
    return A_NORMAL;
}

// What was there, if it is a terminal.
common::Descriptor silence_standard_error() {
    if (!isatty(STDERR_FILENO))
        return common::Descriptor();
    common::Descriptor before(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    const common::Descriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
    dup2(nothing.get(), STDERR_FILENO);
    return before;
}

} // namespace

Screen::Screen() : terminal_(newterm(nullptr, stdout, stdin)) {
    if (!terminal_)
        throw std::runtime_error("this terminal (TERM) is not known here; vmctl top --batch prints "
                                 "on any");
    set_term(static_cast<SCREEN *>(terminal_));
    cbreak();
    noecho();
    curs_set(0);
    nodelay(stdscr, TRUE);
    prepare_colours();
    standard_error_ = silence_standard_error();
}

Screen::~Screen() {
    endwin();
    delscreen(static_cast<SCREEN *>(terminal_));
    if (standard_error_)
        dup2(standard_error_.get(), STDERR_FILENO);
}

void Screen::follow_window() {
    winsize window = {};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0 && window.ws_col > 0)
        resizeterm(window.ws_row, window.ws_col);
    clearok(curscr, TRUE); // terminals break lines anew on their own
}

Size Screen::size() const {
    return {std::max<std::size_t>(least_width, static_cast<std::size_t>(getmaxx(stdscr))),
            static_cast<std::size_t>(getmaxy(stdscr))};
}

void Screen::draw(const std::vector<Line> &lines) {
    erase();
    for (std::size_t row = 0; row < lines.size(); ++row) {
        move(static_cast<int>(row), 0);
        for (const Span &span : cut(lines[row], static_cast<std::size_t>(getmaxx(stdscr)))) {
            attrset(static_cast<int>(attribute_of(span.style)));
            addstr(span.text.c_str());
        }
    }
    attrset(A_NORMAL);
    refresh();
}

bool Screen::quit_key_pressed() {
    bool pressed = false;
    for (int key = getch(); key != ERR; key = getch())
        pressed |= key == 'q' || key == 'Q';
    return pressed;
}

} // namespace vmall::vmctl::top
