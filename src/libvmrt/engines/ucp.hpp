// SPDX-License-Identifier: GPL-2.0-or-later
//
// UCX's interface, for those who stand in front of it: what they define must be visible.
#pragma once

#pragma GCC visibility push(default)
#include <ucp/api/ucp.h>
#pragma GCC visibility pop

namespace vmall::runtime {

inline constexpr char ucp_library[] = "libucp.so.0";

} // namespace vmall::runtime
