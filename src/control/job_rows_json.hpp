// SPDX-License-Identifier: GPL-2.0-or-later
//
// Places to and from JSON.
#pragma once

#include "control/fields.hpp"
#include "control/job_rows.hpp"

namespace vmall::control {

Json to_json(const Place &place);
Place read_place(const Json &json); // throws MessageError

} // namespace vmall::control
