// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's own commands, where its libraries differ from release to release.
#pragma once

#include "spank_vm/agent/stopping.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmall::agent {

struct Said {
    int status = 0;   // 0: done
    std::string text; // also of errors, the first 64 KiB
};

// A command was killed before its end. What it was to do may be done, or be done later.
struct CutOff : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// As run_slurm(), with a bound and an end of its own.
using RunSlurm =
    std::function<Said(const std::string &command, std::vector<std::string> arguments)>;

// Runs a command of the Slurm whose daemon this process is, as its user, without a shell, for at
// most that long, and no longer than until `stopping` begins. Throws std::system_error; CutOff;
// std::runtime_error: it is not there.
Said run_slurm(const std::string &command, std::vector<std::string> arguments,
               std::chrono::seconds patience, const Stopping &stopping);

// What an answer of squeue's says of the job behind its number, with which lines begin: of an
// array's first job it has the other tasks, too.
std::optional<std::string> told_of(const std::string &answer, std::uint32_t job_id);

// Beside the program that is running, or where commands of that installation are.
std::string path_of_command(const std::string &program, const std::string &command);

// As run_slurm(); by any path.
Said run_command(const std::string &path, std::vector<std::string> arguments,
                 std::chrono::seconds patience, const Stopping &stopping);

} // namespace vmall::agent
