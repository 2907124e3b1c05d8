/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Begins records by slurmctld's queue to slurmdbd, and finds their numbers by a query.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/accounting.h"

#include "src/common/list.h"
#include SLURM_ACCOUNTING_STORAGE_H
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

static const slurmctld_lock_t read_jobs = {.job = READ_LOCK};
static const slurmctld_lock_t write_jobs = {.job = WRITE_LOCK};

static bool number_is_known(const job_record_t *record) {
    return record->db_index && record->db_index != NO_VAL64;
}

static bool connected(void) {
    int active = 0;
    return acct_storage_g_get_data(acct_db_conn, ACCT_STORAGE_INFO_CONN_ACTIVE, &active) ==
               SLURM_SUCCESS &&
           active;
}

bool vmall_record_can_end(const job_record_t *record) {
    if (!slurm_with_slurmdbd())
        return true;
    const time_t begun =
        MAX(record->resize_time, MAX(record->start_time, record->details->submit_time));
    return number_is_known(record) && time(NULL) > begun && connected();
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

/* What slurmdbd has for the submission of a job, in its last record. */
static time_t submission(const job_record_t *record) {
    return record->resize_time ? record->resize_time : record->details->submit_time;
}

/* Where slurmdbd gives the numbers, Slurm itself asks for that of the first record. */
static bool must_ask(const job_record_t *record) {
    return IS_JOB_RUNNING(record) && !number_is_known(record) &&
           (record->resize_time || !SLURMDBD_NUMBERS_RECORDS);
}

static int add_if_unknown(void *running, void *steps) {
    const job_record_t *record = running;
    if (!must_ask(record))
        return 0;
    slurm_selected_step_t *job = xmalloc(sizeof(*job));
    job->array_task_id = NO_VAL;
    job->het_job_offset = NO_VAL;
    job->step_id =
        (slurm_step_id_t){.job_id = record->job_id, .step_id = NO_VAL, .step_het_comp = NO_VAL};
    list_append(steps, job);
    return 0;
}

/* list_for_each of what slurmdbd found: earlier records of the jobs as well. */
static int note_number(void *found, void *unused) {
    const slurmdb_job_rec_t *row = found;
    job_record_t *record = find_job_record(row->jobid);
    (void)unused;
    if (record && must_ask(record) && submission(record) == row->submit)
        record->db_index = row->db_index;
    return 0;
}

/* Slurm's own copy goes with a reconfiguration. */
static char *own_cluster(void) {
    char *name = xstrdup(slurm_conf_lock()->cluster_name);
    slurm_conf_unlock();
    return name;
}

void vmall_learn_records(void) {
    slurmdb_job_cond_t query = {.flags =
                                    JOBCOND_FLAG_DUP | JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_TRUNC,
                                .db_flags = SLURMDB_JOB_FLAG_NOTSET};
    query.step_list = list_create(slurm_destroy_selected_step);
    lock_slurmctld(read_jobs);
    list_for_each(job_list, add_if_unknown, query.step_list);
    unlock_slurmctld(read_jobs);
    if (list_count(query.step_list) && connected()) {
        query.cluster_list = list_create(xfree_ptr);
        list_append(query.cluster_list, own_cluster());
        list_t *rows =
            jobacct_storage_g_get_jobs_cond(acct_db_conn, slurm_conf.slurm_user_id, &query);
        if (rows) {
            lock_slurmctld(write_jobs);
            list_for_each(rows, note_number, NULL);
            unlock_slurmctld(write_jobs);
        }
        FREE_NULL_LIST(rows);
        FREE_NULL_LIST(query.cluster_list);
    }
    FREE_NULL_LIST(query.step_list);
}
