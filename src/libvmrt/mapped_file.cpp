// SPDX-License-Identifier: GPL-2.0-or-later
//
// Opens, examines and maps a file.
#include "libvmrt/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

bool is_trusted(const struct stat &status, Access access, std::size_t bytes) {
    const uid_t owner = access == Access::read_roots ? 0 : geteuid();
    const mode_t forbidden = access == Access::read_roots ? S_IWGRP | S_IWOTH : S_IRWXG | S_IRWXO;
    return S_ISREG(status.st_mode) && status.st_uid == owner && (status.st_mode & forbidden) == 0 &&
           status.st_size >= 0 && static_cast<std::size_t>(status.st_size) >= bytes;
}

} // namespace

void *map_file(const char *path, Access access, std::size_t bytes) {
    const bool writable = access == Access::share_ours;
    // O_NONBLOCK: a FIFO in its place must not hang us.
    const int fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return nullptr;
    struct stat status {};
    void *memory = MAP_FAILED;
    if (fstat(fd, &status) == 0 && is_trusted(status, access, bytes))
        memory = mmap(nullptr, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    close(fd);
    return memory == MAP_FAILED ? nullptr : memory;
}

} // namespace vmall::runtime
