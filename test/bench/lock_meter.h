/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What lock_meter.c writes and test/bench/sched reads: a file of these rows, one for each kind of
 * thread, in this order.
 */
#ifndef VMALL_BENCH_LOCK_METER_H
#define VMALL_BENCH_LOCK_METER_H

#include <stdint.h>

enum lock_meter_kind {
    LOCK_METER_MAIN,
    LOCK_METER_BACKFILL,
    LOCK_METER_FJT,
    LOCK_METER_OTHERS,
    LOCK_METER_KINDS
};

struct lock_meter_row {
    uint64_t held;    /* nanoseconds with slurmctld's jobs locked for writing */
    uint64_t longest; /* of that in one go; a reader may set it to 0 */
};

#endif
