// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the installation: this host, the controller, and every node.
#pragma once

#include "tools/vmctl/address.hpp"
#include "tools/vmctl/diagnosis.hpp"

#include <chrono>
#include <optional>

namespace vmall::vmctl {

// What can be checked: where something is wrong on which more depends, that is the last diagnosis.
// `asked_at`: where the controller's plugin is, if not where slurm.conf says. Controller and nodes
// have `patience` each to answer.
Diagnoses examine(const std::optional<Address> &asked_at, std::chrono::milliseconds patience);

} // namespace vmall::vmctl
