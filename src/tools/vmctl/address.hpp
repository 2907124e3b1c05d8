// SPDX-License-Identifier: GPL-2.0-or-later
//
// HOST[:PORT] as people type it.
#pragma once

#include <optional>
#include <string>

namespace vmall::vmctl {

struct Address {
    std::string host;
    std::optional<int> port; // 1 to 65535
};

// `host`, `host:7851`, `2001:db8::1` or `[2001:db8::1]:7851`; throws std::invalid_argument with a
// reason.
Address parse_address(const std::string &text);

} // namespace vmall::vmctl
