// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sequence lock of layout/control_block.h over a shared mapping.
#include "spank_vm/node/control_file.hpp"

#include "common/files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

using common::Descriptor;

[[noreturn]] void fail(const char *action) {
    throw std::system_error(errno, std::generic_category(), std::string(action) + " control block");
}

void check(const Published &content) {
    if (content.cpus.empty() || content.cpus.size() > VMALL_CONTROL_MAX_CPUS)
        throw std::runtime_error("control block: no room for " +
                                 std::to_string(content.cpus.size()) + " CPUs");
}

void fill(vmall_control_block &block, const Published &content) {
    block.generation = content.generation;
    block.flags = content.overclaimed ? VMALL_CONTROL_OVERCLAIMED : 0;
    block.mpl = content.mpl;
    block.core_count = content.core_count;
    block.cpu_count = static_cast<std::uint32_t>(content.cpus.size());
    block.coscheduling = content.runtime.coscheduling;
    block.next_rank = content.runtime.next_rank;
    block.run_queues = content.runtime.run_queues;
    block.cpus_per_rank = content.cpus_per_rank;
    block.node_count = content.node_count;
    std::copy(content.cpus.begin(), content.cpus.end(), block.cpus);
}

Published parse(const vmall_control_block &block) {
    if (block.mpl < 1 || block.core_count < 1 || block.cpu_count < 1 ||
        block.cpu_count > VMALL_CONTROL_MAX_CPUS)
        throw std::runtime_error("control block has an impossible allotment");
    if (block.coscheduling > VMALL_COSCHEDULING_NONE || block.next_rank > VMALL_NEXT_SENDER ||
        block.run_queues > VMALL_QUEUES_DETECTED || block.cpus_per_rank < 1 || block.node_count < 1)
        throw std::runtime_error("control block has impossible settings");
    Published content;
    content.runtime = {static_cast<vmall_coscheduling>(block.coscheduling),
                       static_cast<vmall_next_rank>(block.next_rank),
                       static_cast<vmall_run_queues>(block.run_queues)};
    content.cpus_per_rank = block.cpus_per_rank;
    content.node_count = block.node_count;
    content.generation = block.generation;
    content.mpl = block.mpl;
    content.core_count = block.core_count;
    content.overclaimed = (block.flags & VMALL_CONTROL_OVERCLAIMED) != 0;
    content.cpus.assign(block.cpus, block.cpus + block.cpu_count);
    for (const std::uint16_t cpu : content.cpus)
        if (cpu >= VMALL_CONTROL_MAX_CPUS)
            throw std::runtime_error("control block has an impossible CPU");
    return content;
}

void wake_waiters(std::uint32_t &sequence) {
    syscall(SYS_futex, &sequence, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void pause_briefly() {
    constexpr timespec pause = {0, 1000 * 1000};
    nanosleep(&pause, nullptr);
}

} // namespace

void ControlFile::Unmap::operator()(vmall_control_block *block) const {
    munmap(block, sizeof *block);
}

ControlFile ControlFile::create(const Descriptor &directory, std::uint32_t job_id,
                                const Published &content, std::uint32_t runtime_key) {
    check(content);
    vmall_control_block block = {};
    block.magic = VMALL_CONTROL_MAGIC;
    block.version = VMALL_CONTROL_VERSION;
    block.job_id = job_id;
    block.runtime_key = runtime_key;
    fill(block, content);
    common::replace_file(directory, control_file_name,
                         {reinterpret_cast<const char *>(&block), sizeof block}, 0644);
    return open(directory, job_id);
}

ControlFile ControlFile::open(const Descriptor &directory, std::uint32_t job_id) {
    return map(Descriptor(openat(directory.get(), control_file_name,
                                 O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
               job_id, PROT_READ | PROT_WRITE);
}

ControlFile ControlFile::open_read_only(const std::string &path, std::uint32_t job_id) {
    return map(Descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),
               job_id, PROT_READ);
}

ControlFile ControlFile::map(const Descriptor &file, std::uint32_t job_id, int protection) {
    struct stat status;
    if (!file || fstat(file.get(), &status) != 0)
        fail("cannot open");
    if (!S_ISREG(status.st_mode) || (status.st_uid != 0 && status.st_uid != geteuid()) ||
        (status.st_mode & (S_IWGRP | S_IWOTH)))
        throw std::runtime_error("control block is not a file that only root can write");
    if (status.st_size != sizeof(vmall_control_block))
        throw std::runtime_error("control block has the wrong size");
    void *mapped =
        mmap(nullptr, sizeof(vmall_control_block), protection, MAP_SHARED, file.get(), 0);
    if (mapped == MAP_FAILED)
        fail("cannot map");
    Mapping block(static_cast<vmall_control_block *>(mapped));
    if (block->magic != VMALL_CONTROL_MAGIC || block->version != VMALL_CONTROL_VERSION ||
        block->job_id != job_id)
        throw std::runtime_error("control block is not one of job " + std::to_string(job_id));
    return ControlFile(std::move(block));
}

void ControlFile::write(const Published &content) {
    check(content);
    // A writer that was killed half way left it odd.
    const std::uint32_t odd = __atomic_load_n(&block_->sequence, __ATOMIC_RELAXED) | 1u;
    __atomic_store_n(&block_->sequence, odd, __ATOMIC_RELAXED);
    std::atomic_thread_fence(std::memory_order_release);
    fill(*block_, content);
    __atomic_store_n(&block_->sequence, odd + 1, __ATOMIC_RELEASE);
    wake_waiters(block_->sequence);
}

Published ControlFile::read() const {
    constexpr int highest_attempt_count = 1000;
    for (int attempt = 0; attempt < highest_attempt_count; ++attempt) {
        const std::uint32_t before = __atomic_load_n(&block_->sequence, __ATOMIC_ACQUIRE);
        const vmall_control_block copy = *block_;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (before % 2 == 0 && __atomic_load_n(&block_->sequence, __ATOMIC_RELAXED) == before)
            return parse(copy);
        pause_briefly();
    }
    throw std::runtime_error("control block stays half written");
}

} // namespace vmall::spank_vm
