// SPDX-License-Identifier: GPL-2.0-or-later
//
// Opens, examines and maps.
#include "libvmrt/mapped_file.hpp"

#include <cstring>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

// The kernel's overflowuid: how users appear that a user namespace does not know.
constexpr uid_t nobody = 65534;

bool knows_all_users() {
    constexpr char all[] = "         0          0 4294967295\n";
    char map[sizeof all] = {};
    const int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    const ssize_t length = read(fd, map, sizeof map);
    close(fd);
    return length == sizeof all - 1 && std::memcmp(map, all, sizeof all - 1) == 0;
}

// A container without privileges has a user namespace that does not know root.
bool is_root(uid_t user) {
    return user == 0 || (user == nobody && !knows_all_users());
}

bool is_roots(const struct stat &status, std::size_t bytes) {
    return S_ISREG(status.st_mode) && is_root(status.st_uid) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && status.st_size >= 0 &&
           static_cast<std::size_t>(status.st_size) >= bytes;
}

bool is_ours(const shmid_ds &status, std::size_t bytes) {
    return is_root(status.shm_perm.cuid) && status.shm_perm.uid == geteuid() &&
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
