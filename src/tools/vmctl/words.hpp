// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times, names and numbers as people read them.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <sys/types.h>

namespace vmall::vmctl {

std::string user_name(uid_t uid); // the number, if nobody has it

// As Slurm's commands print it: "2026-03-01T10:20:00", of this host's zone. SLURM_TIME_FORMAT may
// be another format of strftime(3).
std::string local_time(std::time_t time);
std::string time_of_day(std::time_t time); // "10:20:00", likewise

// As Slurm's commands print it: "02:03:04", "1-02:03:04".
std::string duration(std::uint64_t seconds);

// As printable(), and cut to what has room in a table.
std::string short_name(const std::string &name);

// "1 core", "2 cores".
std::string count_of(std::uint64_t count, const std::string &one);

} // namespace vmall::vmctl
