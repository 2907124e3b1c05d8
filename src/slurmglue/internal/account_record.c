/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Begins records by slurmctld's queue to slurmdbd.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/account_record.h"

#include SLURM_ACCOUNTING_STORAGE_H
#include "src/common/slurm_protocol_api.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

bool vmall_record_number_is_known(const job_record_t *record) {
    return record->db_index && record->db_index != NO_VAL64;
}

bool vmall_record_number_is_asked_for(const job_record_t *record) {
    return record->db_index == NO_VAL64;
}

bool vmall_slurmdbd_is_there(void) {
    int active = 0;
    return acct_storage_g_get_data(acct_db_conn, ACCT_STORAGE_INFO_CONN_ACTIVE, &active) ==
               SLURM_SUCCESS &&
           active;
}

bool vmall_record_can_end(const job_record_t *record) {
    if (IS_JOB_RESIZING(record))
        return false;
    if (!slurm_with_slurmdbd())
        return true;
    const time_t begun =
        MAX(record->resize_time, MAX(record->start_time, record->details->submit_time));
    return vmall_record_number_is_known(record) && time(NULL) > begun && vmall_slurmdbd_is_there();
}

/* Slurm would wait for the answer under its locks, as its flag JOB_RESIZING asks it to. Shown a
 * job that was submitted and started at the time of the resize, slurmdbd makes the same record. */
static void send_beginning(const job_record_t *record) {
    job_details_t details = *record->details;
    job_record_t as_submitted = *record;
    as_submitted.details = &details;
    details.submit_time = as_submitted.start_time = record->resize_time;
    jobacct_storage_g_job_start(acct_db_conn, &as_submitted);
}

void vmall_begin_record(job_record_t *record) {
    vmall_count_submission(record);
    job_set_alloc_tres(record, false); /* what the next counts */
    vmall_count_start(record);
    resv_replace_update(record);
    vmall_new_record_number(record);
    if (SLURMDBD_NUMBERS_RECORDS) {
        job_state_unset_flag(record, JOB_RESIZING);
        send_beginning(record);
    } else {
        jobacct_storage_g_job_start(acct_db_conn, record);
        job_state_unset_flag(record, JOB_RESIZING);
    }
    record->end_time_exp = record->end_time; /* the end of the old record has cleared it */
    if (record->step_list && list_count(record->step_list))
        record->bit_flags |= JOB_RESIZED;
}
