// SPDX-License-Identifier: GPL-2.0-or-later
//
// What settings name of Slurm's, which may not be there: a letter too few, and nothing comes of it.
#pragma once

#include "config/config.hpp"

#include <string>
#include <vector>

namespace vmall::config {

struct Named {
    std::string key;  // of vmall.conf
    std::string name; // of the partition, or of the user
};

std::vector<Named> named_partitions(const Config &config);

// Users that this machine does not know.
std::vector<Named> unknown_users(const Config &config);

} // namespace vmall::config
