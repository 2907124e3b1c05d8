// SPDX-License-Identifier: GPL-2.0-or-later
//
// Opens, examines and maps.
#include "libvmrt/mapped_file.hpp"

#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

bool is_roots(const struct stat &status, std::size_t bytes) {
    return S_ISREG(status.st_mode) && status.st_uid == 0 &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && status.st_size >= 0 &&
           static_cast<std::size_t>(status.st_size) >= bytes;
}

bool is_ours(const shmid_ds &status, std::size_t bytes) {
    return status.shm_perm.cuid == 0 && status.shm_perm.uid == geteuid() &&
           (status.shm_perm.mode & (S_IRWXG | S_IRWXO)) == 0 && status.shm_segsz >= bytes;
}

} // namespace

const void *map_file(const char *path, std::size_t bytes) {
    // O_NONBLOCK: a FIFO in its place must not hang us.
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return nullptr;
    struct stat status {};
    void *memory = MAP_FAILED;
    if (fstat(fd, &status) == 0 && is_roots(status, bytes))
        memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    return memory == MAP_FAILED ? nullptr : memory;
}

void *attach_segment(std::uint32_t key, std::size_t bytes) {
    const int id = key == IPC_PRIVATE ? -1 : shmget(static_cast<key_t>(key), 0, 0);
    shmid_ds status{};
    if (id < 0 || shmctl(id, IPC_STAT, &status) != 0 || !is_ours(status, bytes))
        return nullptr;
    void *memory = shmat(id, nullptr, 0);
    return memory == reinterpret_cast<void *>(-1) ? nullptr : memory;
}

} // namespace vmall::runtime
