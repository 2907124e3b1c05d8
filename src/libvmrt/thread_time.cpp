// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads /proc/thread-self/schedstat.
#include "libvmrt/thread_time.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace vmall::runtime {

ThreadTime thread_time() {
    const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return {0, 0};
    char text[96];
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return {0, 0};
    text[length] = '\0';
    char *rest = nullptr;
    const std::uint64_t ran = std::strtoull(text, &rest, 10);
    return {ran, std::strtoull(rest, nullptr, 10)};
}

} // namespace vmall::runtime
