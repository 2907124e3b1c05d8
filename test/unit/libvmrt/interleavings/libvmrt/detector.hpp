// SPDX-License-Identifier: GPL-2.0-or-later
//
// In place of src/libvmrt/detector.hpp, which has 88 kB of samples: here it is said beforehand
// whether the run queues are global.
#pragma once

#include "layout/control_block.h"
#include "layout/runtime_page.h"
#include "libvmrt/placement.hpp"

#include <cstdint>

namespace vmall::runtime {

class Detector {
  public:
    std::uint32_t sample(vmall_runtime_page &, const Member *, std::uint32_t, std::uint32_t,
                         std::uint64_t) {
        return VMALL_QUEUES_LOCAL;
    }
};

} // namespace vmall::runtime
