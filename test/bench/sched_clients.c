/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What test/bench/sched asks slurmctld for, with Slurm's own library.
 *
 * sched-clients submit COUNT MALLEABLE NODES CLASS [PARTITION]
 *
 * Submits COUNT short jobs, of which MALLEABLE in a hundred are virtually malleable, of this CLASS,
 * over NODES, twice and four times NODES nodes.
 *
 * sched-clients watch SECONDS JOB
 *
 * Asks for a job's record again and again and for what Slurm's schedulers did (sdiag), and prints
 * lines of these, with the seconds since it began: answer TIME SECONDS, main TIME MICROSECONDS,
 * backfill TIME MICROSECONDS JOBS, started TIME JOBS.
 */
#include "slurmglue/internal/releases.h"

#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The jobs are the same whoever submits them in what order. */
struct series {
    unsigned next, end; /* of their numbers */
    unsigned malleable, base;
    char *asked[2];  /* in the environment, for ours */
    char *partition; /* null: the default one */
    bool failed;
};

static void submit_one(struct series *series, unsigned number) {
    static char *environment[] = {"PATH=/usr/bin:/bin", NULL};
    const unsigned width = series->base << number % 3;
    job_desc_msg_t job;
    submit_response_msg_t *answer = NULL;
    slurm_init_job_desc_msg(&job);
    job.name = "bench";
    job.script = "#!/bin/sh\n";
    job.environment = environment;
    job.env_size = 1;
    job.user_id = getuid();
    job.group_id = getgid();
    job.work_dir = "/";
    job.std_out = job.std_err = "/dev/null";
    job.min_nodes = job.max_nodes = width;
    job.ntasks_per_node = 64;
    job.num_tasks = width * 64;
    job.cpus_per_task = 1;
    job.partition = series->partition;
    job.time_limit = 10 + number % 7;
    if (number * 37 % 100 < series->malleable) {
        job.spank_job_env = series->asked;
        job.spank_job_env_size = 1;
    }
    if (slurm_submit_batch_job(&job, &answer) == SLURM_SUCCESS) {
        slurm_free_submit_response_response_msg(answer);
        return;
    }
    fprintf(stderr, "sched-clients: job %u: %s\n", number, slurm_strerror(errno));
    series->failed = true;
}

static void *submit_some(void *argument) {
    struct series *series = argument;
    unsigned number;
    while ((number = __atomic_fetch_add(&series->next, 1, __ATOMIC_RELAXED)) < series->end &&
           !series->failed)
        submit_one(series, number);
    return NULL;
}

static int submit(unsigned count, unsigned malleable, unsigned base, const char *class,
                  char *partition) {
    enum { THREADS = 6 };
    char *asked = xstrdup_printf("VMALL_CLASS=%s", class);
    struct series series = {0, count, malleable, base, {asked, NULL}, partition, false};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, submit_some, &series);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    xfree(asked);
    return series.failed;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double began, ends;

static void tell_changes(const stats_info_response_msg_t *is,
                         const stats_info_response_msg_t *was) {
    const double at = seconds_now() - began;
    if (is->schedule_cycle_counter != was->schedule_cycle_counter)
        printf("main %.3f %u\n", at, is->schedule_cycle_last);
    if (is->bf_cycle_counter != was->bf_cycle_counter)
        printf("backfill %.3f %u %u\n", at, is->bf_cycle_last, is->bf_last_depth_try);
    printf("started %.3f %u\n", at, is->jobs_started);
}

/* Often enough to see each cycle. */
static void *watch_schedulers(void *unused) {
    stats_info_response_msg_t *was = NULL;
    stats_info_request_msg_t request = {.command_id = STAT_COMMAND_GET};
    for (; seconds_now() < ends; usleep(100000)) {
        stats_info_response_msg_t *is = NULL;
        if (slurm_get_statistics(&is, &request) != SLURM_SUCCESS)
            continue;
        if (was)
            tell_changes(is, was);
        slurm_free_stats_response_msg(was);
        was = is;
    }
    slurm_free_stats_response_msg(was);
    return unused;
}

static int watch(unsigned seconds, uint32_t job_id) {
    began = seconds_now();
    ends = began + seconds;
    pthread_t thread;
    pthread_create(&thread, NULL, watch_schedulers, NULL);
    for (double start; (start = seconds_now()) < ends; usleep(2000)) {
        job_info_msg_t *answer = NULL;
        if (slurm_load_job(&answer, ASKED_JOB(job_id), 0) == SLURM_SUCCESS)
            slurm_free_job_info_msg(answer);
        const double now = seconds_now();
        printf("answer %.3f %.6f\n", now - began, now - start);
    }
    pthread_join(thread, NULL);
    return 0;
}

int main(int argc, char **argv) {
    slurm_init(NULL);
    if ((argc == 6 || argc == 7) && !strcmp(argv[1], "submit"))
        return submit(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), argv[5], argv[6]);
    if (argc == 4 && !strcmp(argv[1], "watch"))
        return watch(atoi(argv[2]), atoi(argv[3]));
    fprintf(stderr, "usage: sched-clients submit COUNT MALLEABLE NODES CLASS [PARTITION] | "
                    "watch SECONDS JOB\n");
    return 2;
}
