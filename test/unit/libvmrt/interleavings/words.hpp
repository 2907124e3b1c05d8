// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words of a runtime page, for those who read what led to a fault.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/shared_word.hpp"

#include <string>

namespace vmall::interleavings {

// As "replaces token of CPU 0 by 2".
std::string to_text(Access access, const vmall_runtime_page &page, const volatile void *word,
                    std::uint64_t value);

} // namespace vmall::interleavings
