// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether Linux shares CPUs out rightly among groups of processes (autogroups, cpu cgroups).
//
// Commit 6d71a9c61604 (6.13) places the group that runs anew whenever its load changes, too far
// ahead. One whose processes keep waking each other, as ranks that take turns do, then leaves all
// others next to no CPU. 101f3498b4bd (7.1, 6.18.45) took it back. No release of 6.12 had it, but
// the 6.12.0 of a distribution may have taken over anything.
//
// Needs nothing of the C++ runtime, which libvmrt has not.
#pragma once

#include <cstdio>
#include <cstring>

namespace vmall::common {

enum class GroupScheduling { right, wrong, unknown };

// `release` as uname(2) tells it.
inline GroupScheduling group_scheduling(const char *release) {
    unsigned major = 0, minor = 0, patch = 0;
    if (std::sscanf(release, "%4u.%4u.%4u", &major, &minor, &patch) < 2)
        return GroupScheduling::unknown;
    const unsigned version = major * 10000 + minor;
    if (version == 60012 && patch == 0 && std::strchr(release, '-'))
        return GroupScheduling::unknown;
    if (version < 60013 || version > 70000 || (version == 60018 && patch >= 45))
        return GroupScheduling::right;
    return GroupScheduling::wrong;
}

} // namespace vmall::common
