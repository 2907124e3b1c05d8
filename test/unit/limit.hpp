// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long tests wait for what is to happen. Whatever takes longer hangs: what a busy machine needs
// is not known.
#pragma once

#include <chrono>

namespace vmall::test {

inline constexpr std::chrono::minutes limit{5};

} // namespace vmall::test
