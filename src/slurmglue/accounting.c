/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the numbers of records by a query.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/accounting.h"
#include "slurmglue/internal/account_record.h"

#include "src/common/list.h"
#include SLURM_ACCOUNTING_STORAGE_H
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

static const slurmctld_lock_t read_jobs = {.job = READ_LOCK};
static const slurmctld_lock_t write_jobs = {.job = WRITE_LOCK};

/* What slurmdbd has for the submission of a job, in its last record. */
static time_t submission(const job_record_t *record) {
    return record->resize_time ? record->resize_time : record->details->submit_time;
}

/* Where slurmdbd gives the numbers, Slurm itself asks for that of the first record. */
static bool must_ask(const job_record_t *record) {
    return IS_JOB_RUNNING(record) && !vmall_record_number_is_known(record) &&
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
    if (list_count(query.step_list) && vmall_slurmdbd_is_there()) {
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
