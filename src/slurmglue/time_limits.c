/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does as scontrol update does.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/account_record.h"
#include "slurmglue/internal/time_limit.h"
#include "slurmglue/time_limits.h"

#include "src/common/list.h"
#include SLURM_ACCOUNTING_STORAGE_H
#include "src/slurmctld/slurmctld.h"

static bool has_limit(const step_record_t *step) {
    return step->state == JOB_RUNNING && step->time_limit != INFINITE && step->time_limit != NO_VAL;
}

struct step_visit {
    vmall_visit_step_limit visit;
    void *context;
    time_t now;
};

/* list_for_each */
static int visit_step(void *record, void *context) {
    const step_record_t *step = record;
    const struct step_visit *to = context;
    if (!has_limit(step))
        return 0;
    const time_t ran = to->now - step->start_time - step->tot_sus_time;
    const struct vmall_step_limit limit = {.step_id = step->step_id.step_id,
                                           .minutes = step->time_limit,
                                           .ran = ran > 0 ? (uint32_t)ran : 0};
    to->visit(to->context, &limit);
    return 0;
}

void vmall_visit_step_limits(uint32_t job_id, vmall_visit_step_limit visit, void *context) {
    const job_record_t *record = find_job_record(job_id);
    struct step_visit to = {visit, context, time(NULL)};
    if (record && record->step_list)
        list_for_each(record->step_list, visit_step, &to);
}

bool vmall_set_job_limit(uint32_t job_id, uint32_t from, uint32_t seconds) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !IS_JOB_RUNNING(record) || record->time_limit != from)
        return true;
    vmall_give_time(record, seconds);
    last_job_update = time(NULL);
    /* With the number known, slurmdbd is told without waiting for it. */
    if (vmall_record_number_is_known(record))
        jobacct_storage_g_job_start(acct_db_conn, record);
    return !vmall_record_number_is_asked_for(record);
}

struct new_limit {
    uint32_t step_id;
    uint32_t minutes;
};

/* list_for_each */
static int set_step(void *record, void *context) {
    step_record_t *step = record;
    const struct new_limit *to = context;
    if (step->step_id.step_id == to->step_id && has_limit(step))
        step->time_limit = to->minutes;
    return 0;
}

void vmall_set_step_limit(uint32_t job_id, uint32_t step_id, uint32_t minutes) {
    const job_record_t *record = find_job_record(job_id);
    struct new_limit to = {step_id, minutes};
    if (!record || !record->step_list)
        return;
    list_for_each(record->step_list, set_step, &to);
    last_job_update = time(NULL);
}

bool vmall_take_extension_back(uint32_t job_id, uint32_t extended_to, uint32_t asked) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !IS_JOB_PENDING(record))
        return false;
    if (record->time_limit == extended_to) {
        record->time_limit = asked;
        last_job_update = time(NULL);
    }
    return true;
}
