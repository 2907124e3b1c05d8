// SPDX-License-Identifier: GPL-2.0-or-later
//
// Owns a file descriptor.
#pragma once

#include <unistd.h>
#include <utility>

namespace vmall::common {

class Descriptor {
  public:
    explicit Descriptor(int fd = -1) noexcept : fd_(fd) {} // negative: owns nothing
    Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0)
            close(fd_);
    }
    int get() const noexcept { return fd_; }
    int release() noexcept { return std::exchange(fd_, -1); } // the caller closes it
    explicit operator bool() const noexcept { return fd_ >= 0; }

  private:
    int fd_;
};

} // namespace vmall::common
