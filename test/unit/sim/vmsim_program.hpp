// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program vmsim from outside, each test in a folder of its own.
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmsim_test {

extern std::filesystem::path folder; // of the test that runs
extern const char *const small_log;  // of four jobs, on 4 processors

// For tcase_add_checked_fixture(). The folder has small.swf.
void set_up();
void tear_down();

struct Ran {
    int status = 0;
    std::string output; // both streams
};

// A line for the shell, in the folder.
Ran command(const std::string &line);
Ran vmsim(const std::string &arguments);

// vmsim without waiting for it; what it says goes to the file "output".
pid_t start_vmsim(std::vector<const char *> arguments);

// Until the file is there or the program has ended.
void wait_for_file(const std::filesystem::path &file, pid_t child);

// Waits and checks that the exit status tells the signal.
void wait_for_end_by(int signal, pid_t child);

// The same after sending the signal.
void end_with(int signal, pid_t child);

// Of a file in the folder.
std::string content(const std::filesystem::path &file);

} // namespace vmsim_test
