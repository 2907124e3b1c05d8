/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The limit that Slurm's own schedulers give a job as they start it, and what becomes of it.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/time_limit.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

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

time_t vmall_time_run(const job_record_t *record, time_t now) {
    if (IS_JOB_SUSPENDED(record))
        return record->pre_sus_time;
    /* Slurm sets it when a job is suspended and when it is resumed. */
    return record->suspend_time ? record->pre_sus_time + now - record->suspend_time
                                : now - record->start_time;
}

uint32_t vmall_limit_seconds(uint32_t minutes) {
    return minutes >= UINT32_MAX / 60 ? UINT32_MAX : minutes * 60;
}

uint32_t vmall_qos_time_limit(const job_record_t *record) {
    slurmdb_qos_rec_t *qos[2] = {NULL, NULL};
    acct_policy_set_qos_order((job_record_t *)record, &qos[0], &qos[1]);
    for (int i = 0; i < 2; i++)
        if (qos[i] && qos[i]->max_wall_pj != INFINITE)
            return qos[i]->max_wall_pj;
    return INFINITE;
}

void vmall_give_time(job_record_t *record, uint32_t seconds) {
    if (record->time_limit == INFINITE || record->preempt_time)
        return;
    const time_t now = time(NULL);
    const uint32_t minutes = MAX(1, (seconds + 59) / 60);
    acct_policy_alter_job(record, minutes);
    record->time_limit = minutes;
    /* As Slurm's own updates of EndTime, to the second. */
    record->end_time = MAX(now, now + (time_t)seconds - vmall_time_run(record, now));
    record->end_time_exp = record->end_time;
}
