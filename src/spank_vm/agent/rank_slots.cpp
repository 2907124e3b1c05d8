// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page is read, not mapped: its owner may truncate it at any moment, and a mapping would then
// end slurmd with SIGBUS.
#include "spank_vm/agent/rank_slots.hpp"

#include "layout/runtime_page.h"
#include "spank_vm/node/control_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace vmall::agent {

namespace {

using common::Descriptor;

Descriptor open_page(const Descriptor &directory) {
    Descriptor file(openat(directory.get(), spank_vm::runtime_file_name,
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file)
        throw std::system_error(errno, std::generic_category(), "cannot open the runtime page");
    return file;
}

bool read_whole(const Descriptor &file, vmall_runtime_page &page) {
    struct stat status;
    return fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
           pread(file.get(), &page, sizeof page, 0) == static_cast<ssize_t>(sizeof page);
}

bool is_formatted(const vmall_runtime_page &page) {
    return page.magic == VMALL_RUNTIME_MAGIC && page.version == VMALL_RUNTIME_VERSION &&
           page.size == sizeof page;
}

} // namespace

std::vector<RankSlot> read_rank_slots(const Descriptor &directory) {
    const auto page = std::make_unique<vmall_runtime_page>();
    std::vector<RankSlot> slots;
    if (!read_whole(open_page(directory), *page) || !is_formatted(*page))
        return slots;
    for (const vmall_runtime_slot &slot : page->slots)
        if (slot.owner != 0)
            slots.push_back({static_cast<pid_t>(slot.owner >> 32),
                             static_cast<std::uint32_t>(slot.owner), slot.useful_ns,
                             slot.waiting_ns, slot.switches, slot.sent});
    return slots;
}

} // namespace vmall::agent
