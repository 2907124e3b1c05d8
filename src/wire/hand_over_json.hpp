// SPDX-License-Identifier: GPL-2.0-or-later
//
// A hand-over to and from JSON.
#pragma once

#include "wire/fields.hpp"
#include "wire/hand_over.hpp"

namespace vmall::wire {

Json to_json(const HandOver &hand_over);
HandOver read_hand_over(const Json &json); // throws MessageError

} // namespace vmall::wire
