// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text that slurmglue hands over with malloc().
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

namespace vmall::common {

inline std::string taken(char *text) {
    const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
    return owned ? owned.get() : "";
}

} // namespace vmall::common
