// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where samples are replayed.
#include "limits.hpp"

namespace vmall::fuzz {

void within_limits(void (*decode)(const std::string &), const std::string &input) {
    decode(input);
}

} // namespace vmall::fuzz
