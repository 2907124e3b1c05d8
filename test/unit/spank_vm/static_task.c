// SPDX-License-Identifier: GPL-2.0-or-later
//
// A task that no library can be preloaded into.
#include <unistd.h>

int main(void) {
    for (;;)
        pause();
}
