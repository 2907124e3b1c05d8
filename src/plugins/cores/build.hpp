// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which build a plugin is of.
#pragma once

namespace vmall::cores {

// Release, and a checksum of the sources of the plugins: two of different builds may share the
// release only.
extern const char *const build;

} // namespace vmall::cores
