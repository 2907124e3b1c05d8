// SPDX-License-Identifier: GPL-2.0-or-later
//
// A hand-over to and from JSON.
#pragma once

#include "control/fields.hpp"
#include "control/hand_over.hpp"

namespace vmall::control {

Json to_json(const HandOver &hand_over);
HandOver read_hand_over(const Json &json); // throws MessageError

} // namespace vmall::control
