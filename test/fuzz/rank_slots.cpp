// SPDX-License-Identifier: GPL-2.0-or-later
//
// The runtime page as the agent reads it: the input is how the page begins, the rest is zeros.
#include "spank_vm/agent/rank_slots.hpp"

#include "layout/runtime_page.h"
#include "spank_vm/agent/rank_survey.hpp"
#include "spank_vm/node/runtime_segment.hpp"
#include "target.hpp"

#include <algorithm>
#include <cstring>

namespace {

std::string bytes; // how the page begins

} // namespace

namespace vmall::spank_vm {

// Instead of a segment's: into a page of zeros.
bool read_runtime_segment(std::uint32_t, vmall_runtime_page &page) {
    std::memcpy(&page, bytes.data(), std::min(bytes.size(), sizeof page));
    return true;
}

} // namespace vmall::spank_vm

namespace vmall::fuzz {

void decode(const std::string &input) {
    bytes = input;
    const agent::RankPage page = agent::read_rank_page(1);
    expect(page.slots.size() <= VMALL_RUNTIME_SLOTS, "a page has so many slots");
    const wire::RankReport report = agent::survey_ranks({}, page, {});
    expect(report.attached == 0, "who is no process of the job is not attached");
}

} // namespace vmall::fuzz
