// SPDX-License-Identifier: GPL-2.0-or-later
//
// Real munged daemons for tests, with their own keys and sockets in a temporary directory.
#pragma once

#include "../spank_vm/temporary_directory.hpp"

#include <functional>
#include <string>
#include <sys/types.h>

// A running munged; daemons with the same key trust each other. Its clock is clock_shift seconds
// ahead.
class Munged {
  public:
    explicit Munged(char key = 'k', long clock_shift = 0); // throws if it does not start
    Munged(const Munged &) = delete;
    Munged &operator=(const Munged &) = delete;
    ~Munged();
    std::string socket() const { return directory_.path() + "/socket"; }
    pid_t pid() const { return pid_; }

  private:
    [[noreturn]] void become_munged(long clock_shift) const;
    void wait_until_it_listens();
    TemporaryDirectory directory_;
    pid_t pid_;
};

// Runs `action` as another user, in a child process, and returns what it returned ("error: …" if it
// threw). Needs root.
inline constexpr uid_t another_uid = 65534;
std::string as_another_user(const std::function<std::string()> &action);
