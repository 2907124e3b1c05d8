// SPDX-License-Identifier: GPL-2.0-or-later
//
// getdents64 of the folder whose entries are called as the threads.
#include "libvmrt/threads.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {

Threads::Threads(const char *path) : folder_(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

Threads::~Threads() {
    if (readable())
        close(folder_);
}

pid_t Threads::next() {
    for (;;) {
        if (at_ >= end_) {
            at_ = 0;
            end_ = syscall(SYS_getdents64, folder_, entries_, sizeof entries_);
            if (end_ <= 0)
                return 0;
        }
        std::uint16_t length;
        std::memcpy(&length, entries_ + at_ + offsetof(Entry, length), sizeof length);
        const pid_t thread = std::atoi(entries_ + at_ + offsetof(Entry, type) + 1);
        at_ += length;
        if (thread > 0) // neither "." nor ".."
            return thread;
    }
}

void Threads::start_again() {
    lseek(folder_, 0, SEEK_SET);
    at_ = end_ = 0;
}

} // namespace vmall::runtime
