// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory of a job's runtime page (layout/runtime_page.h), from root's side. A System V segment:
// its user can write it but not make it larger, and it takes nothing of a file system.
#pragma once

#include "layout/runtime_page.h"

#include <cstdint>
#include <sys/types.h>

namespace vmall::spank_vm {

class RuntimeSegment {
  public:
    // Makes one, full of zeros but for our PID namespace, that only `user` and root can open.
    // Throws std::system_error, also if the node has as many segments as it may have
    // (kernel.shmmni).
    explicit RuntimeSegment(uid_t user);
    RuntimeSegment(const RuntimeSegment &) = delete;
    RuntimeSegment &operator=(const RuntimeSegment &) = delete;
    ~RuntimeSegment(); // removes it, unless it is kept

    std::uint32_t key() const { return key_; } // not 0
    void keep() { kept_ = true; }

  private:
    std::uint32_t key_ = 0;
    bool kept_ = false;
};

// A copy of the segment with this key. False if there is none that we made.
bool read_runtime_segment(std::uint32_t key, vmall_runtime_page &page);

// Ranks that have attached it keep it until they end. Nothing happens if there is none that we
// made.
void remove_runtime_segment(std::uint32_t key) noexcept;

} // namespace vmall::spank_vm
