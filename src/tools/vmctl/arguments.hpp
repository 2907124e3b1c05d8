// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether what people typed can be understood: empty, or why it cannot.
#pragma once

#include <string>

namespace vmall::vmctl {

std::string check_address(const std::string &text);
std::string check_job(const std::string &text);
std::string check_setting(const std::string &text);
std::string check_since(const std::string &text);

} // namespace vmall::vmctl
