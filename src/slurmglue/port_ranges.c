/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nothing of Slurm's.
 */
#define _GNU_SOURCE /* asprintf() */
#include "slurmglue/port_ranges.h"

#include <stddef.h>
#include <stdio.h>

static char *text(const struct vmall_port_range *range, const char *key, int port) {
    char *phrase = NULL;
    const int length =
        range->first == range->last
            ? asprintf(&phrase, "%s=%d is %s of slurm.conf, too", key, port, range->key)
            : asprintf(&phrase, "%s=%d is one of %s=%u-%u of slurm.conf", key, port, range->key,
                       range->first, range->last);
    return length < 0 ? NULL : phrase;
}

char *vmall_conflict_among(const struct vmall_port_range *ranges, int count, const char *key,
                           int port) {
    for (int i = 0; i < count; i++)
        if ((uint32_t)port >= ranges[i].first && (uint32_t)port <= ranges[i].last)
            return text(&ranges[i], key, port);
    return NULL;
}
