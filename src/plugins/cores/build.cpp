// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which build a plugin is of.
#include "plugins/cores/build.hpp"

#include "source_checksum.h"
#include "vmall_config.h"

namespace vmall::cores {

const char *const build = PACKAGE_VERSION "-" SOURCE_CHECKSUM;

} // namespace vmall::cores
