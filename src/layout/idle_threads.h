/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Environment of ranks with several CPUs: how long their threads of OpenMP that have nothing to do
 * keep a CPU. */
#pragma once

#define VMALL_ENV_WAIT_POLICY "OMP_WAIT_POLICY" /* OpenMP's; the other two come before it */
#define VMALL_ENV_GCC_SPINS "GOMP_SPINCOUNT"    /* looks, of some 10 to 50 ns each */
#define VMALL_ENV_LLVM_TIME "KMP_BLOCKTIME"     /* in whole milliseconds up to LLVM 16 */

/* As few looks as a hand-over takes time: who finds the next parallel region by then need not be
 * woken for it. */
#define VMALL_GCC_SPINS "1000"
