/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's short form of an array: each value with the number of times it stands there in a row.
 */
#ifndef VMALL_GLUE_VALUE_RUNS_H
#define VMALL_GLUE_VALUE_RUNS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds to the n-th value, if there are as many. The arrays are Slurm's (xmalloc), have `count`
 * entries each and are replaced. Neighbours that are equal then make one run. */
void vmall_add_to_value(uint16_t **values, uint32_t **repetitions, uint32_t *count, uint32_t nth,
                        int added);

#ifdef __cplusplus
}
#endif

#endif
