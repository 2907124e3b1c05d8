/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Texts in the job's record.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/job_note.h"

#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

void vmall_set_wait_reason(uint32_t job_id, bool head, const char *why) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !IS_JOB_PENDING(record))
        return;
    const uint32_t reason = head ? WAIT_RESOURCES : WAIT_PRIORITY;
    if (record->state_reason == reason && !xstrcmp(record->state_desc, why))
        return;
    /* Only what the schedulers themselves set is replaced: holds, limits and dependencies say more.
     */
    if (record->state_reason != WAIT_NO_REASON && record->state_reason != WAIT_RESOURCES &&
        record->state_reason != WAIT_PRIORITY)
        return;
    record->state_reason = reason;
    xfree(record->state_desc);
    record->state_desc = xstrdup(why);
    last_job_update = time(NULL);
}

void vmall_set_expected_start(uint32_t job_id, time_t start) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !IS_JOB_PENDING(record) || record->start_time == start)
        return;
    record->start_time = start;
    last_job_update = time(NULL);
}

const char *vmall_admin_comment(uint32_t job_id) {
    const job_record_t *record = find_job_record(job_id);
    return record && record->admin_comment ? record->admin_comment : "";
}

void vmall_set_admin_comment(uint32_t job_id, const char *text) {
    job_record_t *record = find_job_record(job_id);
    if (!record)
        return;
    xfree(record->admin_comment);
    record->admin_comment = xstrdup(text);
    last_job_update = time(NULL);
}
