/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Takes the runs apart around one value and puts them together again.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/value_runs.h"

#include "src/common/xmalloc.h"

struct runs {
    uint16_t *values;
    uint32_t *repetitions;
    uint32_t count;
};

static void append(struct runs *runs, uint16_t value, uint32_t repetitions) {
    if (!repetitions)
        return;
    if (runs->count && runs->values[runs->count - 1] == value) {
        runs->repetitions[runs->count - 1] += repetitions;
        return;
    }
    runs->values[runs->count] = value;
    runs->repetitions[runs->count++] = repetitions;
}

void vmall_add_to_value(uint16_t **values, uint32_t **repetitions, uint32_t *count, uint32_t nth,
                        int added) {
    /* The run with the n-th value becomes up to three. */
    struct runs changed = {xcalloc(*count + 2, sizeof(uint16_t)),
                           xcalloc(*count + 2, sizeof(uint32_t)), 0};
    uint32_t first = 0;
    for (uint32_t run = 0; run < *count; run++) {
        const uint16_t value = (*values)[run];
        const uint32_t length = (*repetitions)[run];
        if (nth >= first && nth - first < length) {
            append(&changed, value, nth - first);
            append(&changed, (uint16_t)(value + added), 1);
            append(&changed, value, length - (nth - first) - 1);
        } else {
            append(&changed, value, length);
        }
        first += length;
    }
    xfree(*values);
    xfree(*repetitions);
    *values = changed.values;
    *repetitions = changed.repetitions;
    *count = changed.count;
}
