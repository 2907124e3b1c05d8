// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pictures of results, which the program vmsim-pictures draws.
#pragma once

#include "tools/vmsim/interruption.hpp"

#include <filesystem>

namespace vmall::vmsim {

// Runs `vmsim-pictures DIR`: the one beside this program, else the one on the PATH. Throws
// std::runtime_error if it is not there or fails; it tells itself what is wrong.
// Not if a signal came meanwhile: the terminal sends it to both programs.
void draw_pictures(const std::filesystem::path &directory, const Interruption &interruption);

} // namespace vmall::vmsim
