// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which Slurm has loaded this plugin.
#pragma once

#include <cstdint>

namespace vmall::spank_vm {

// Its SLURM_VERSION_NUMBER without the micro release, for which SPANK has the same interface; 0:
// none of which that is known. Safe while the plugin is being loaded.
std::uint32_t running_release() noexcept;

// By what slurm_api_version() says there; for tests.
std::uint32_t release_of_api(long api_version) noexcept;

} // namespace vmall::spank_vm
