// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists in a text.
#pragma once

#include <string_view>
#include <vector>

namespace vmall::common {

// The parts between the separators; one more than there are separators, of which any may be empty.
// They are parts of the text, which must stay.
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace vmall::common
