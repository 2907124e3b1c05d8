// SPDX-License-Identifier: GPL-2.0-or-later
//
// Maps and copies the control block.
#include "libvmrt/control_view.hpp"

#include "layout/runtime_page.h"
#include "libvmrt/mapped_file.hpp"
#include "libvmrt/shared_word.hpp"

#include <cstring>

namespace vmall::runtime {
namespace {

bool is_count(std::uint32_t value) {
    return value >= 1 && value <= VMALL_CONTROL_MAX_CPUS;
}

bool are_rules(const vmall_control_block &block) {
    return block.next_rank <= VMALL_NEXT_SENDER && block.run_queues <= VMALL_QUEUES_DETECTED;
}

bool is_valid(const vmall_control_block &block) {
    if (block.magic != VMALL_CONTROL_MAGIC || block.version != VMALL_CONTROL_VERSION ||
        !is_count(block.cpu_count) || !is_count(block.cpus_per_rank) || block.node_count < 1 ||
        block.mpl < 1 || block.core_count < 1 || !are_rules(block))
        return false;
    for (std::uint32_t i = 0; i < block.cpu_count; ++i)
        if (block.cpus[i] >= VMALL_RUNTIME_CPUS)
            return false;
    return true;
}

} // namespace

bool ControlView::open(const char *path) {
    block_ = static_cast<const vmall_control_block *>(map_file(path, sizeof(vmall_control_block)));
    return block_ != nullptr;
}

Reading ControlView::read(ControlContent &allotment, std::uint32_t &sequence) const {
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
    allotment.overclaimed = (copy.flags & VMALL_CONTROL_OVERCLAIMED) != 0;
    allotment.rules = {copy.coscheduling, static_cast<vmall_next_rank>(copy.next_rank),
                       static_cast<vmall_run_queues>(copy.run_queues)};
    allotment.mpl = copy.mpl;
    allotment.core_count = copy.core_count;
    allotment.cpus_per_rank = copy.cpus_per_rank;
    allotment.node_count = copy.node_count;
    allotment.cpu_count = copy.cpu_count;
    std::memcpy(allotment.cpus, copy.cpus, sizeof copy.cpus);
    return Reading::done;
}

} // namespace vmall::runtime
