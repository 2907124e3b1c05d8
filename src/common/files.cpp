// SPDX-License-Identifier: GPL-2.0-or-later
//
// Read to the end; written beside and renamed.
#include "common/files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace vmall::common {

namespace {

// O_NONBLOCK: a FIFO in the file's place must not block a daemon.
constexpr int reading = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
constexpr int appending = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
constexpr int writing = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;

[[noreturn]] void fail(const std::string &name, int error = errno) {
    throw std::system_error(error, std::generic_category(), name);
}

void write_whole(const Descriptor &file, const std::string &name, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = write(file.get(), content.data(), content.size());
        if (written < 0 && errno != EINTR)
            fail(name);
        content.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
}

bool ends_within_a_line(const Descriptor &file, const std::string &name) {
    struct stat status = {};
    if (fstat(file.get(), &status) != 0)
        fail(name);
    char last = '\n';
    return status.st_size > 0 && pread(file.get(), &last, 1, status.st_size - 1) == 1 &&
           last != '\n';
}

// Directory: as the *at() calls take it.
void replace_in(int directory, const std::string &name, std::string_view content, mode_t mode,
                Survives survives) {
    const std::string draft = name + ".new";
    const Descriptor file(openat(directory, draft.c_str(), writing, 0600));
    if (!file || fchmod(file.get(), mode) != 0)
        fail(draft);
    write_whole(file, draft, content);
    if (survives == Survives::loss_of_power && fsync(file.get()) != 0)
        fail(draft);
    if (renameat(directory, draft.c_str(), directory, name.c_str()) != 0)
        fail(name);
}

} // namespace

std::string read_whole(const Descriptor &file, const std::string &name, std::size_t highest_size) {
    constexpr std::size_t chunk = 64 * 1024;
    std::string content;
    for (std::size_t size = 0;;) {
        content.resize(std::min(size + chunk, highest_size + 1));
        const ssize_t got = read(file.get(), &content[size], content.size() - size);
        if (got < 0 && errno != EINTR)
            fail(name);
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
        if (size > highest_size)
            fail(name, EFBIG);
        if (got == 0) {
            content.resize(size);
            return content;
        }
    }
}

std::optional<std::string> read_file(const std::string &path, std::size_t highest_size) {
    const Descriptor file(open(path.c_str(), reading));
    if (!file && errno == ENOENT)
        return std::nullopt;
    if (!file)
        fail(path);
    return read_whole(file, path, highest_size);
}

std::string read_own_file(const Descriptor &directory, const std::string &name,
                          std::size_t highest_size) {
    const Descriptor file(openat(directory.get(), name.c_str(), reading | O_NOFOLLOW));
    struct stat status = {};
    if (!file || fstat(file.get(), &status) != 0)
        fail(name);
    const bool is_ours = status.st_uid == 0 || status.st_uid == geteuid();
    if (!S_ISREG(status.st_mode) || !is_ours || (status.st_mode & (S_IWGRP | S_IWOTH)))
        throw std::runtime_error(name + " is not a file that only root can write");
    return read_whole(file, name, highest_size);
}

void replace_file(const Descriptor &directory, const std::string &name, std::string_view content,
                  mode_t mode, Survives survives) {
    replace_in(directory.get(), name, content, mode, survives);
}

void replace_file(const std::string &path, std::string_view content, mode_t mode,
                  Survives survives) {
    replace_in(AT_FDCWD, path, content, mode, survives);
}

void append_lines(const std::string &path, std::string_view lines, mode_t mode) {
    const Descriptor file(open(path.c_str(), appending, 0600));
    if (!file || fchmod(file.get(), mode) != 0)
        fail(path);
    if (ends_within_a_line(file, path))
        write_whole(file, path, "\n");
    write_whole(file, path, lines);
}

} // namespace vmall::common
