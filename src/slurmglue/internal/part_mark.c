/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two lists of variables of the job's record.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/part_mark.h"

#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#define MARK "VMALL_TAKES_PART"
#define MARK_OF_SCRIPT "SLURM_SPANK_" MARK

/* With or without the prefix that an API may have given it. */
static bool is_mark(const char *entry) {
    return !xstrncmp(entry, MARK "=", sizeof(MARK)) ||
           !xstrncmp(entry, "SPANK_" MARK "=", sizeof("SPANK_" MARK));
}

/* How many entries are left. */
static uint32_t without_mark(char **entries, uint32_t count) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_mark(entries[i]))
            xfree(entries[i]);
        else
            entries[left++] = entries[i];
    for (uint32_t i = left; i < count; i++)
        entries[i] = NULL;
    return left;
}

void vmall_clear_part_mark(struct job_record *job) {
    job->spank_job_env_size = without_mark(job->spank_job_env, job->spank_job_env_size);
    if (job->details)
        vmall_unset_environment(job->details, MARK_OF_SCRIPT);
}

/* Slurm wants an entry of NULL at the end. */
void vmall_set_part_mark(struct job_record *job) {
    vmall_clear_part_mark(job);
    xrecalloc(job->spank_job_env, job->spank_job_env_size + 2, sizeof(char *));
    job->spank_job_env[job->spank_job_env_size++] = xstrdup(MARK "=1");
    vmall_set_environment(job->details, MARK_OF_SCRIPT, 1);
}
