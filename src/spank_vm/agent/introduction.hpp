// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent tells anybody who asks: how it is installed, and what it goes by.
#pragma once

#include "control/installation.hpp"
#include "spank_vm/agent/settings.hpp"

#include <string>

namespace vmall::agent {

// As it is now; the settings are those that slurmd started with.
control::Installation installation_of(const Settings &settings);

// The answer to a query: the installation, or an error that says what is wrong with the query.
std::string answer_to_query(const std::string &query, const Settings &settings);

} // namespace vmall::agent
