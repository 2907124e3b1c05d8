/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Submits a batch job of so many tasks by Slurm's API, as clients do that load no SPANK plugin; for
 * test_take_part.py. Arguments: the partition, the tasks, the script. Prints the job's number.
 */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char script[4096];

static void read_script(const char *name) {
    FILE *file = fopen(name, "r");
    if (!file || fread(script, 1, sizeof(script) - 1, file) == 0)
        exit(2);
    fclose(file);
}

int main(int count, char **words) {
    if (count != 4)
        return 2;
    read_script(words[3]);
    slurm_init(NULL);
    char *environment[] = {"PATH=/usr/bin:/bin", NULL};
    char directory[4096];
    job_desc_msg_t job;
    slurm_init_job_desc_msg(&job);
    job.name = "submitted";
    job.partition = words[1];
    job.num_tasks = job.min_cpus = (uint32_t)atoi(words[2]);
    job.time_limit = 5;
    job.script = script;
    job.environment = environment;
    job.env_size = 1;
    job.work_dir = getcwd(directory, sizeof(directory));
    job.std_out = "/dev/null";
    job.user_id = getuid();
    job.group_id = getgid();
    submit_response_msg_t *response = NULL;
    if (slurm_submit_batch_job(&job, &response) != SLURM_SUCCESS) {
        slurm_perror("submit");
        return 1;
    }
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
    printf("%u\n", response->step_id.job_id);
#else
    printf("%u\n", response->job_id);
#endif
    return 0;
}
