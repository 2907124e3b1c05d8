// SPDX-License-Identifier: GPL-2.0-or-later
//
// A process, or a machine, that is out of what a connection takes.
#pragma once

#include <cerrno>

namespace vmall::common {

// Whether accept(2) says that. Whoever wants to connect goes on waiting, so that the listening
// socket stays readable: try again after a pause.
inline bool lacks_resources(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

inline constexpr int milliseconds_to_wait_for_resources = 100;

} // namespace vmall::common
