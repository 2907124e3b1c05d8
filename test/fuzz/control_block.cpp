// SPDX-License-Identifier: GPL-2.0-or-later
//
// A control block as the agent reads it again, and as the ranks do.
#include "common/descriptor.hpp"
#include "layout/runtime_page.h"
#include "libvmrt/control_view.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/temporary_directory.hpp"
#include "target.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>

namespace vmall::fuzz {

namespace {

constexpr std::uint32_t job_id = 1;

// Of the block, as it is in memory; what is not there is that of a sound one. Nobody is writing it:
// who reads one that stays half written waits.
std::string block_of(const std::string &input) {
    vmall_control_block block = {};
    block.magic = VMALL_CONTROL_MAGIC;
    block.version = VMALL_CONTROL_VERSION;
    block.job_id = job_id;
    block.mpl = block.core_count = block.cpu_count = block.cpus_per_rank = block.node_count = 1;
    std::memcpy(&block, input.data(), std::min(input.size(), sizeof block));
    block.sequence &= ~1u;
    return {reinterpret_cast<const char *>(&block), sizeof block};
}

// What ranks read of the file that is at that path, if they believe in it: it is root's.
bool ranks_read(const std::string &path, runtime::ControlContent &content) {
    static runtime::ControlView view;
    static const bool is_roots = view.open(path.c_str());
    std::uint32_t sequence = 0;
    return is_roots && view.read(content, sequence) == runtime::Reading::done;
}

bool same(const spank_vm::Published &left, const spank_vm::Published &right) {
    return left.generation == right.generation && left.mpl == right.mpl &&
           left.core_count == right.core_count && left.overclaimed == right.overclaimed &&
           left.cpus == right.cpus && left.cpus_per_rank == right.cpus_per_rank &&
           left.node_count == right.node_count;
}

} // namespace

void decode(const std::string &input) {
    static const TemporaryDirectory directory;
    static const common::Descriptor opened = directory.open();
    static const std::string path = directory / spank_vm::control_file_name;
    static const common::Descriptor file(
        open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    const std::string block = block_of(input);
    expect(pwrite(file.get(), block.data(), block.size(), 0) == static_cast<ssize_t>(block.size()),
           "the block is in its file");
    runtime::ControlContent content;
    if (ranks_read(path, content))
        expect(std::all_of(content.cpus, content.cpus + content.cpu_count,
                           [](auto cpu) { return cpu < VMALL_RUNTIME_CPUS; }),
               "ranks read only CPUs that a page has room for");
    try {
        auto control = spank_vm::ControlFile::open(opened, job_id);
        const spank_vm::Published published = control.read();
        control.write(published);
        expect(same(control.read(), published), "what is written is read");
    } catch (const std::runtime_error &) {
    }
}

} // namespace vmall::fuzz
