// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads of ours in the program's process.
#pragma once

namespace vmall::runtime {

struct OwnThread {
    const char *name; // at most 15 letters
    void (*body)(void *argument);
    void *argument;
};

// The thread ends by itself or never, blocks all signals (the program's are for its own threads),
// and asks the kernel for time slices as short as can be: then, with its share of the CPU and not
// more, it runs soon after a wake-up where others compute (since Linux 6.12; needs no privilege).
// `thread` lives as long as the process. False if there can be no thread.
bool start(const OwnThread &thread);

} // namespace vmall::runtime
