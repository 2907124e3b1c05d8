// SPDX-License-Identifier: GPL-2.0-or-later
//
// Written beside, synced, renamed.
#include "plugins/sched_fjt/account/state_file.hpp"

#include "common/descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace vmall::sched {

namespace {

[[noreturn]] void fail(const std::string &path) {
    throw std::system_error(errno, std::generic_category(), path);
}

} // namespace

std::optional<std::string> read_state(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        if (errno == ENOENT)
            return std::nullopt;
        fail(path);
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void write_state(const std::string &path, const std::string &content) {
    const std::string beside = path + ".new";
    const common::Descriptor file(
        open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.get() < 0)
        fail(beside);
    for (std::size_t written = 0; written < content.size();) {
        const ssize_t n = write(file.get(), content.data() + written, content.size() - written);
        if (n < 0 && errno != EINTR)
            fail(beside);
        written += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    if (fsync(file.get()) < 0)
        fail(beside);
    if (rename(beside.c_str(), path.c_str()) < 0)
        fail(path);
}

} // namespace vmall::sched
