// SPDX-License-Identifier: GPL-2.0-or-later
//
// What libFuzzer and the replay of samples call.
#include "limits.hpp"
#include "target.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    vmall::fuzz::within_limits(vmall::fuzz::decode, {reinterpret_cast<const char *>(data), size});
    return 0;
}
