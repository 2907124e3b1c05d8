/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Linked statically: nothing can be preloaded into it. As little as a task of a job can do.
 */
#include <stdio.h>

int main(void) {
    puts("static");
    return 0;
}
