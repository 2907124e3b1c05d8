/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The limit that Slurm's own schedulers give a job as they start it.
 */
#include "slurmglue/internal/time_limit.h"

#include <time.h>

bool vmall_has_deadline(const job_record_t *record) {
    return record->deadline && record->deadline != NO_VAL;
}

static uint32_t minutes_until(time_t deadline) {
    const time_t now = time(NULL);
    return deadline > now + 60 ? (deadline - now) / 60 : 1;
}

uint32_t vmall_time_limit(const job_record_t *record, const part_record_t *partition) {
    uint32_t minutes = record->time_limit;
    if (minutes == NO_VAL && partition)
        minutes = partition->default_time != NO_VAL ? partition->default_time : partition->max_time;
    return IS_JOB_PENDING(record) && vmall_has_deadline(record)
               ? MIN(minutes, minutes_until(record->deadline))
               : minutes;
}
