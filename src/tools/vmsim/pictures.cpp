// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of results.
#include "tools/vmsim/pictures.hpp"

#include "common/own_program.hpp"

#include <cerrno>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ;

namespace vmall::vmsim {

namespace {

constexpr const char *program = "vmsim-pictures";

} // namespace

void draw_pictures(const std::filesystem::path &directory, const Interruption &interruption) {
    std::string name = common::own_program(program);
    std::string argument = directory.string();
    char *arguments[] = {name.data(), argument.data(), nullptr};
    pid_t child = 0;
    if (const int error = posix_spawnp(&child, name.c_str(), nullptr, nullptr, arguments, environ))
        throw std::system_error(error, std::generic_category(), program);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "waitpid");
    if (status != 0 && interruption.signal() == 0)
        throw std::runtime_error(std::string(program) + " failed; the results are in " + argument);
}

} // namespace vmall::vmsim
