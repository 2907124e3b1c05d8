// SPDX-License-Identifier: GPL-2.0-or-later
//
// By key, not by id: ids begin anew when the machine does, and a job's directory may outlive that.
#include "spank_vm/node/runtime_segment.hpp"

#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

[[noreturn]] void fail(const std::string &action) {
    throw std::system_error(errno, std::generic_category(), action);
}

bool is_attached(const void *memory) {
    return memory != reinterpret_cast<const void *>(-1);
}

// Keys are few enough to meet one that somebody has, and too many to take them all.
int make_under_new_key(std::uint32_t &key) {
    std::random_device random;
    for (int attempt = 0; attempt < 16; ++attempt) {
        key = random() | 1u; // 0 is no key
        const int id =
            shmget(static_cast<key_t>(key), VMALL_RUNTIME_BYTES, IPC_CREAT | IPC_EXCL | 0600);
        if (id >= 0)
            return id;
        if (errno != EEXIST)
            break;
    }
    fail("cannot make shared memory");
}

// -1 if there is none that we made: its user may have removed it, and anybody may take a key that
// is free.
int find_ours(std::uint32_t key) noexcept {
    const int id = key == IPC_PRIVATE ? -1 : shmget(static_cast<key_t>(key), 0, 0);
    shmid_ds status = {};
    if (id < 0 || shmctl(id, IPC_STAT, &status) != 0 || status.shm_perm.cuid != geteuid() ||
        status.shm_segsz != VMALL_RUNTIME_BYTES)
        return -1;
    return id;
}

void note_pid_namespace(int id) {
    struct stat status = {};
    if (stat("/proc/self/ns/pid", &status) != 0)
        fail("cannot examine the PID namespace");
    void *memory = shmat(id, nullptr, 0);
    if (!is_attached(memory))
        fail("cannot attach shared memory");
    static_cast<vmall_runtime_page *>(memory)->pid_namespace =
        static_cast<std::uint32_t>(status.st_ino);
    shmdt(memory);
}

void give_to(uid_t user, int id) {
    shmid_ds status = {};
    status.shm_perm.uid = user;
    status.shm_perm.gid = getegid();
    status.shm_perm.mode = 0600;
    if (shmctl(id, IPC_SET, &status) != 0)
        fail("cannot give shared memory to user " + std::to_string(user));
}

} // namespace

RuntimeSegment::RuntimeSegment(uid_t user) {
    const int id = make_under_new_key(key_);
    try {
        note_pid_namespace(id);
        give_to(user, id);
    } catch (const std::system_error &) {
        shmctl(id, IPC_RMID, nullptr);
        throw;
    }
}

RuntimeSegment::~RuntimeSegment() {
    if (!kept_)
        remove_runtime_segment(key_);
}

bool read_runtime_segment(std::uint32_t key, vmall_runtime_page &page) {
    const int id = find_ours(key);
    if (id < 0)
        return false;
    void *memory = shmat(id, nullptr, SHM_RDONLY);
    if (!is_attached(memory))
        return false;
    std::memcpy(&page, memory, sizeof page);
    shmdt(memory);
    return true;
}

void remove_runtime_segment(std::uint32_t key) noexcept {
    const int id = find_ours(key);
    if (id >= 0)
        shmctl(id, IPC_RMID, nullptr);
}

} // namespace vmall::spank_vm
