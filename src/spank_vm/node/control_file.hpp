// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job control block (layout/control_block.h) in its file, as its only writer and as a reader.
#pragma once

#include "common/descriptor.hpp"
#include "config/runtime_settings.hpp"
#include "layout/control_block.h"
#include "wire/messages.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vmall::spank_vm {

inline constexpr const char *control_file_name = "control";
inline constexpr const char *allotment_file_name = "allotment";

// What a control block says.
struct Published {
    wire::Generation generation = 0;
    std::uint32_t mpl = 1;
    std::uint32_t core_count = 1;
    bool overclaimed = false;
    std::vector<std::uint16_t> cpus; // not empty, at most VMALL_CONTROL_MAX_CPUS
    config::RuntimeSettings runtime = {};
    std::uint32_t cpus_per_rank = 1;
    std::uint32_t node_count = 1;
};

// All functions throw std::runtime_error (std::system_error among them).
class ControlFile {
  public:
    // Makes the file `control` in the directory; it appears complete or not at all. `runtime_key`
    // is of the job's runtime page; 0: it has none.
    static ControlFile create(const common::Descriptor &directory, std::uint32_t job_id,
                              const Published &content, std::uint32_t runtime_key = 0);
    // The one that is there, to go on writing it. Refuses a file that is not ours or not this
    // job's.
    static ControlFile open(const common::Descriptor &directory, std::uint32_t job_id);
    // For reading only.
    static ControlFile open_read_only(const std::string &path, std::uint32_t job_id);

    // Changes it in place and wakes everybody who waits for its sequence to change.
    void write(const Published &content);
    std::uint32_t runtime_key() const { return block_->runtime_key; }
    // Waits, for a bounded time, while the writer is at it.
    Published read() const;

  private:
    struct Unmap {
        void operator()(vmall_control_block *block) const;
    };
    using Mapping = std::unique_ptr<vmall_control_block, Unmap>;
    explicit ControlFile(Mapping block) : block_(std::move(block)) {}
    static ControlFile map(const common::Descriptor &file, std::uint32_t job_id, int protection);
    Mapping block_;
};

} // namespace vmall::spank_vm
