// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many simulations run at the same time.
#pragma once

namespace CLI {
class App;
}

namespace vmall::vmsim {

// --threads; sets it to the number of cores for a start.
void add_threads_option(CLI::App &command, int &threads);

} // namespace vmall::vmsim
