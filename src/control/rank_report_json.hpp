// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports to and from JSON.
#pragma once

#include "control/fields.hpp"
#include "control/rank_report.hpp"

namespace vmall::control {

Json to_json(const RankReport &report);
RankReport read_rank_report(const Json &json); // throws MessageError

} // namespace vmall::control
