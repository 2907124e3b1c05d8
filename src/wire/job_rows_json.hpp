// SPDX-License-Identifier: GPL-2.0-or-later
//
// Page starts to and from JSON.
#pragma once

#include "wire/fields.hpp"
#include "wire/job_rows.hpp"

namespace vmall::wire {

Json to_json(const PageStart &start);
PageStart read_page_start(const Json &json); // throws MessageError

} // namespace vmall::wire
