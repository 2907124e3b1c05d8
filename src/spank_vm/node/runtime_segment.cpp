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
#include <system_error>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

[[noreturn]] void fail(const std::string &action) {
    throw std::system_error(errno, std::generic_category(), action);
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

} // namespace

RuntimeSegment::RuntimeSegment(uid_t user) {
    const int id = make_under_new_key(key_);
    shmid_ds status = {};
    status.shm_perm.uid = user;
    status.shm_perm.gid = getegid();
    status.shm_perm.mode = 0600;
    if (shmctl(id, IPC_SET, &status) != 0) {
        const int error = errno;
        shmctl(id, IPC_RMID, nullptr);
        errno = error;
        fail("cannot give shared memory to user " + std::to_string(user));
    }
}

RuntimeSegment::~RuntimeSegment() {
    if (!kept_)
        remove_runtime_segment(key_);
}

bool read_runtime_segment(std::uint32_t key, vmall_runtime_page &page) {
    const int id = find_ours(key);
    void *memory = id < 0 ? nullptr : shmat(id, nullptr, SHM_RDONLY);
    if (id < 0 || memory == reinterpret_cast<void *>(-1))
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
