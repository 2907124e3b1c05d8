/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Computation of a given length whose result depends on every step.
 */
#ifndef VMALL_TEST_WORK_H
#define VMALL_TEST_WORK_H

#include <stdint.h>

/* `grains` times about a microsecond of a 3 GHz core: a chain of dependent multiplications. */
static inline uint64_t work(uint64_t seed, long grains) {
    for (long i = grains * 750; i > 0; i--)
        seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed;
}

/* What a rank makes of its value and its neighbour's. The factor is even: in a ring, an odd one
 * would shift all that was into the bits above the 64th, and the result would not tell how it came
 * about.
 */
static inline uint64_t mix(uint64_t mine, uint64_t received) {
    return mine * 30 + received;
}

/* Exactly representable in a double, so that a sum over ranks does not depend on their order. */
static inline double digest(uint64_t value) {
    return (double)(value >> 32);
}

#endif
