// SPDX-License-Identifier: GPL-2.0-or-later
//
// The terminal as a screen, by ncurses.
#pragma once

#include "common/descriptor.hpp"
#include "tools/vmctl/top/view.hpp"

#include <vector>

namespace vmall::vmctl::top {

// Takes the terminal over for as long as it lives; one at a time. Libraries that write to standard
// error are not heard meanwhile if that is a terminal.
class Screen {
  public:
    // Throws std::runtime_error if the terminal is none that ncurses knows.
    Screen();
    ~Screen();
    Screen(const Screen &) = delete;
    Screen &operator=(const Screen &) = delete;

    void follow_window(); // its size has changed
    Size size() const;
    void draw(const std::vector<Line> &lines);
    bool quit_key_pressed(); // since the last call

  private:
    void *terminal_; // ncurses' SCREEN, whose header has macros that nobody else should see
    common::Descriptor standard_error_;
};

} // namespace vmall::vmctl::top
