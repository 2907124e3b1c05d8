// SPDX-License-Identifier: GPL-2.0-or-later
//
// The history as a picture.
#include "tools/vmctl/timeline.hpp"

#include "common/own_program.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ;

namespace vmall::vmctl {

namespace {

constexpr const char *program = "vmsim-pictures";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

// Without a name; from its beginning.
File file_with(const std::string &content) {
    File file(std::tmpfile(), std::fclose);
    if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0)
        throw std::system_error(errno, std::generic_category(), "a temporary file");
    std::rewind(file.get());
    return file;
}

struct FileActions {
    posix_spawn_file_actions_t actions;
    FileActions() { posix_spawn_file_actions_init(&actions); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
    FileActions(const FileActions &) = delete;
    FileActions &operator=(const FileActions &) = delete;
};

pid_t start(std::string name, std::string out, const File &input) {
    std::string option = "--timeline";
    char *arguments[] = {name.data(), option.data(), out.data(), nullptr};
    FileActions files;
    posix_spawn_file_actions_adddup2(&files.actions, fileno(input.get()), STDIN_FILENO);
    pid_t child = 0;
    if (posix_spawnp(&child, name.c_str(), &files.actions, nullptr, arguments, environ) != 0)
        throw std::runtime_error(std::string("there is no ") + program +
                                 ": install the package slurm-vmall-sim, or look elsewhere at what "
                                 "vmctl history --json prints");
    return child;
}

} // namespace

std::string timeline_of(const std::vector<wire::HistoryRow> &history,
                        std::optional<std::time_t> since, std::time_t until) {
    std::string text = wire::encode(history);
    text.pop_back();
    if (since)
        text += ",\"since\":" + std::to_string(*since);
    return text + ",\"until\":" + std::to_string(until) + "}";
}

void draw(const std::string &timeline, const std::string &out) {
    const File input = file_with(timeline);
    const pid_t child = start(common::own_program(program), out, input);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "waitpid");
    if (status != 0)
        throw std::runtime_error(std::string(program) + " failed; nothing was drawn");
}

} // namespace vmall::vmctl
