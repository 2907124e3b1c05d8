// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps and copies the control block.
#include "libvmrt/control_view.hpp"

#include "libvmrt/mapped_file.hpp"
#include "libvmrt/runtime_page.h"
#include "libvmrt/shared_word.hpp"

#include <cstring>

namespace vmall::runtime {
namespace {

bool is_valid(const vmall_control_block &block) {
    if (block.magic != VMALL_CONTROL_MAGIC || block.version != VMALL_CONTROL_VERSION ||
        block.cpu_count < 1 || block.cpu_count > VMALL_CONTROL_MAX_CPUS)
        return false;
    for (std::uint32_t i = 0; i < block.cpu_count; ++i)
        if (block.cpus[i] >= VMALL_RUNTIME_CPUS)
            return false;
    return true;
}

} // namespace

bool ControlView::open(const char *path) {
    block_ = static_cast<const vmall_control_block *>(
        map_file(path, Access::read_roots, sizeof(vmall_control_block)));
    return block_ != nullptr;
}

std::uint32_t ControlView::sequence() const {
    return load_relaxed(block_->sequence);
}

Reading ControlView::read(Allotment &allotment, std::uint32_t &sequence) const {
    const std::uint32_t before = __atomic_load_n(&block_->sequence, __ATOMIC_ACQUIRE);
    if (before % 2 != 0)
        return Reading::torn;
    vmall_control_block copy;
    std::memcpy(&copy, block_, sizeof copy);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (load_relaxed(block_->sequence) != before)
        return Reading::torn;
    sequence = before;
    if (!is_valid(copy))
        return Reading::invalid;
    allotment.generation = copy.generation;
    allotment.overclaimed = (copy.flags & VMALL_CONTROL_OVERCLAIMED) != 0;
    allotment.cpu_count = copy.cpu_count;
    std::memcpy(allotment.cpus, copy.cpus, sizeof copy.cpus);
    return Reading::done;
}

} // namespace vmall::runtime
