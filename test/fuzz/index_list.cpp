// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists of cores and CPUs, as Slurm and the kernel write them.
#include "spank_vm/node/index_list.hpp"

#include "target.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::fuzz {

namespace {

std::vector<std::uint32_t> parsed(const std::string &text) {
    std::vector<std::uint32_t> indices = spank_vm::parse_index_list(text);
    expect(std::adjacent_find(indices.begin(), indices.end(),
                              [](auto left, auto right) { return left >= right; }) == indices.end(),
           "indices ascend");
    expect(indices.empty() || indices.back() <= spank_vm::highest_index, "indices are in range");
    return indices;
}

} // namespace

void decode(const std::string &input) {
    try {
        expect_round_trip(input, parsed, spank_vm::format_index_list);
    } catch (const std::invalid_argument &) {
    }
}

} // namespace vmall::fuzz
