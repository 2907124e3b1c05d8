/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Random numbers whose n-th value is found without those before it, so that any number of ranks
 * draws the same sequence in blocks; and sums that do not depend on how many ranks added them up.
 */
#ifndef VMALL_TEST_RANDOM_H
#define VMALL_TEST_RANDOM_H

#include <stdint.h>

#define RANDOM_FACTOR 6364136223846793005u
#define RANDOM_INCREMENT 1442695040888963407u

/* Applies state -> factor * state + increment `steps` times, by squaring the map. */
static inline uint64_t random_skip(uint64_t state, uint64_t steps) {
    uint64_t factor = RANDOM_FACTOR, increment = RANDOM_INCREMENT;
    for (; steps; steps >>= 1) {
        if (steps & 1)
            state = factor * state + increment;
        increment *= factor + 1;
        factor *= factor;
    }
    return state;
}

/* Uniform in [0, 1), of 32 bits. */
static inline double random_next(uint64_t *state) {
    *state = *state * RANDOM_FACTOR + RANDOM_INCREMENT;
    return (double)(*state >> 32) * 0x1p-32;
}

/* To a multiple of 2^-20, for |value| < 2^31: sums of such numbers below 2^32 are exact, in
 * whatever order. */
static inline double rounded(double value) {
    const double shift = 0x1.8p32;
    return (value + shift) - shift;
}

#endif
