// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent tells anybody who asks: how it is installed, what it goes by, and if it deals
// cores itself, what its jobs have.
#pragma once

#include "spank_vm/agent/settings.hpp"
#include "wire/installation.hpp"

#include <functional>
#include <optional>
#include <string>

namespace vmall::agent {

// As it is now; the settings are those that slurmd started with.
wire::Installation installation_of(const Settings &settings,
                                   const std::optional<wire::HandOver> &hand_over);

// The answer to Ask::jobs and Ask::left_out. Throws std::exception.
using TellJobs = std::function<std::string(const wire::Query &query)>;

// The answer to a query, or an error that says what is wrong with the query. Without `tell_jobs`
// only of the installation.
std::string answer_to_query(const std::string &query, const Settings &settings,
                            const std::optional<wire::HandOver> &hand_over,
                            const TellJobs &tell_jobs = {});

} // namespace vmall::agent
