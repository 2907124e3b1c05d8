// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's own commands, where its libraries differ from release to release.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace vmall::agent {

struct Said {
    int status = 0;   // 0: done
    std::string text; // also of errors, the first 64 KiB
};

// Runs a command of the Slurm whose daemon this process is, as its user, without a shell, for at
// most that long. Throws std::system_error; std::runtime_error: it is not there, or took longer and
// was killed.
Said run_slurm(const std::string &command, std::vector<std::string> arguments,
               std::chrono::seconds patience);

// Beside the program that is running, or where commands of that installation are.
std::string path_of_command(const std::string &program, const std::string &command);

// As run_slurm(); by any path.
Said run_command(const std::string &path, std::vector<std::string> arguments,
                 std::chrono::seconds patience);

} // namespace vmall::agent
