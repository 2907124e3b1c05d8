// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many simulations run at the same time.
#include "tools/vmsim/threads_option.hpp"

#include "tools/vmsim/checks.hpp"

#include <algorithm>
#include <thread>

namespace vmall::vmsim {

void add_threads_option(Command command, int &threads) {
    threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    command
        .add_option("--threads", threads,
                    "Simulations at the same time; as many as there are cores if not given")
        .check(whole_number(1, 1024))
        .type_name("N");
}

} // namespace vmall::vmsim
