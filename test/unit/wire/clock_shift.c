/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into a munged: it believes that the time is CLOCK_SHIFT seconds from now.
 */
#include <stdlib.h>
#include <time.h>

time_t time(time_t *result) {
    const char *shift = getenv("CLOCK_SHIFT");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (shift)
        now.tv_sec += atol(shift);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}
