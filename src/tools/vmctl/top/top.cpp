// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl top.
#include "tools/vmctl/top/top.hpp"

#include "tools/vmctl/slurm_conf.hpp"
#include "tools/vmctl/top/asker.hpp"
#include "tools/vmctl/top/screen.hpp"
#include "tools/vmctl/top/signals.hpp"
#include "tools/vmctl/top/view.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <poll.h>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

namespace vmall::vmctl::top {

namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t usual_width = 120;
constexpr std::size_t widest = 1000;
constexpr int second = 1000; // of poll(): the clock in the header goes on

// 0: nobody says it.
std::size_t told_width() {
    if (const char *columns = std::getenv("COLUMNS"))
        return std::strtoul(columns, nullptr, 10);
    winsize window = {};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

std::size_t width_of_print() {
    const std::size_t told = told_width();
    return told == 0 ? usual_width : std::clamp(told, narrowest, widest);
}

void take_over(Answer answer, Sight &sight) {
    if (!answer.controller.empty())
        sight.controller = answer.controller;
    sight.problem = answer.problem;
    if (!answer.seen)
        return;
    sight.history.add(*answer.seen);
    sight.seen = std::move(answer.seen);
}

// Whether to go on.
bool heed(Signals &signals, Screen &screen) {
    while (const auto number = signals.take()) {
        if (*number != SIGWINCH)
            return false;
        screen.follow_window();
    }
    return true;
}

void watch(Asker &asker, Signals &signals, Screen &screen) {
    Sight sight;
    pollfd waited_for[] = {{STDIN_FILENO, POLLIN, 0},
                           {signals.descriptor(), POLLIN, 0},
                           {asker.descriptor(), POLLIN, 0}};
    while (heed(signals, screen) && !screen.quit_key_pressed()) {
        if (auto answer = asker.take())
            take_over(std::move(*answer), sight);
        sight.now = std::time(nullptr);
        screen.draw(lines_of(sight, screen.size()));
        if (poll(waited_for, std::size(waited_for), second) < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
        if (waited_for[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            return; // the terminal is gone
    }
}

} // namespace

std::string once(const Options &options, bool coloured) {
    const Source source = options.find();
    Sight sight;
    take_over({source.name, source.observe({}), ""}, sight);
    sight.now = sight.seen->at;
    return text_of(lines_of(sight, {width_of_print(), std::nullopt}), coloured);
}

std::string once_as_json(const Options &options) {
    return encode(options.find().observe({})) + "\n";
}

bool can_be_live() {
    const char *terminal = std::getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal &&
           std::strcmp(terminal, "dumb") != 0;
}

void live(const Options &options) {
    init_slurm();
    {
        Signals signals{SIGINT, SIGTERM, SIGHUP, SIGWINCH};
        Screen screen;
        Asker asker(options.find, options.interval);
        watch(asker, signals, screen);
    }
    // The thread that asks may be at it.
    std::quick_exit(EXIT_SUCCESS);
}

} // namespace vmall::vmctl::top
