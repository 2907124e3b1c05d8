// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the ranks of a job wrote into their runtime page (layout/runtime_page.h), read by root, who
// believes none of it.
#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

// A slot that somebody says is his. Any value is possible in every field.
struct RankSlot {
    pid_t pid = 0;
    std::uint32_t start_time = 0; // low 32 bits, of the process that claimed it
    std::uint64_t waiting_ns = 0;
    std::uint64_t asleep_ns = 0;
    std::uint64_t switches = 0;
    std::uint64_t messages = 0;
};

struct RankPage {
    std::vector<RankSlot> slots;
    std::uint32_t engines = 0; // enum vmall_runtime_engine, summed, as the job has written it
};

// By the key in the job's control block. Empty while the page has not been formatted, if it is not
// one of this version, and if there is none.
RankPage read_rank_page(std::uint32_t runtime_key);

} // namespace vmall::agent
