// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports to and from JSON.
#pragma once

#include "wire/fields.hpp"
#include "wire/rank_report.hpp"

namespace vmall::wire {

Json to_json(const RankReport &report);
RankReport read_rank_report(const Json &json); // throws MessageError

} // namespace vmall::wire
