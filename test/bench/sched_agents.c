/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What test/bench/sched needs beside slurmctld, with Slurm's own library.
 *
 * sched-agents submit COUNT MALLEABLE NODES [PARTITION]
 *
 * Submits COUNT jobs, of which MALLEABLE in a hundred are virtually malleable, over NODES, twice
 * and four times NODES nodes. They are short, and long where a partition is named.
 *
 * sched-agents nodes PORT SECONDS
 *
 * Answers as the slurmd of every node that leads to PORT. A batch job ends after SECONDS to twice
 * SECONDS.
 *
 * sched-agents watch SECONDS JOB
 *
 * Asks for a job's record again and again and for what Slurm's schedulers did (sdiag), and prints
 * lines of these, with the seconds since it began: answer TIME SECONDS, main TIME MICROSECONDS,
 * backfill TIME MICROSECONDS JOBS, started TIME JOBS.
 */
#include "slurmglue/slurm_version.h"

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

struct batch_job {
    struct batch_job *next;
    uint32_t id;
    uid_t user;
    char *node;
    time_t end;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct batch_job *batch_jobs;
static unsigned run_seconds;

static void launched(const batch_job_launch_msg_t *message) {
    struct batch_job *job = xmalloc(sizeof(*job));
    hostlist_t nodes = hostlist_create(message->nodes);
    char *first = hostlist_shift(nodes);
    *job =
        (struct batch_job){NULL, message->job_id, message->uid, xstrdup(first),
                           time(NULL) + run_seconds + message->job_id * 7919 % (run_seconds + 1)};
    free(first);
    hostlist_destroy(nodes);
    pthread_mutex_lock(&mutex);
    job->next = batch_jobs;
    batch_jobs = job;
    pthread_mutex_unlock(&mutex);
}

static void *serve(void *argument) {
    const int connection = (int)(intptr_t)argument;
    slurm_msg_t message;
    slurm_msg_t_init(&message);
    if (slurm_receive_msg(connection, &message, 0) == SLURM_SUCCESS) {
        message.conn_fd = connection;
        if (message.msg_type == REQUEST_BATCH_JOB_LAUNCH)
            launched(message.data);
        /* The job's last process has gone and the epilog has run. */
        const bool ends = message.msg_type == REQUEST_TERMINATE_JOB ||
                          message.msg_type == REQUEST_KILL_TIMELIMIT ||
                          message.msg_type == REQUEST_ABORT_JOB;
        slurm_send_rc_msg(&message, ends ? ESLURMD_KILL_JOB_ALREADY_COMPLETE : SLURM_SUCCESS);
        slurm_free_msg_data(message.msg_type, message.data);
    }
    close(connection);
    return NULL;
}

static void complete(const struct batch_job *job) {
    complete_batch_script_msg_t done = {
        .job_id = job->id, .node_name = job->node, .user_id = job->user};
    slurm_msg_t message;
    int rc;
    slurm_msg_t_init(&message);
    message.msg_type = REQUEST_COMPLETE_BATCH_SCRIPT;
    message.data = &done;
    slurm_send_recv_controller_rc_msg(&message, &rc, working_cluster_rec);
}

static struct batch_job *take_ended(void) {
    const time_t now = time(NULL);
    pthread_mutex_lock(&mutex);
    struct batch_job **at = &batch_jobs;
    while (*at && (*at)->end > now)
        at = &(*at)->next;
    struct batch_job *job = *at;
    if (job)
        *at = job->next;
    pthread_mutex_unlock(&mutex);
    return job;
}

static void *end_jobs(void *unused) {
    (void)unused;
    for (;;) {
        struct batch_job *job = take_ended();
        if (!job) {
            usleep(50000);
            continue;
        }
        complete(job);
        xfree(job->node);
        xfree(job);
    }
    return NULL;
}

/* The jobs are the same whoever submits them in what order. */
struct series {
    unsigned next, end; /* of their numbers */
    unsigned malleable, base;
    char *partition; /* null: the default one */
    bool failed;
};

static void submit_one(struct series *series, unsigned number) {
    static char *environment[] = {"PATH=/usr/bin:/bin", NULL};
    char *asked[] = {series->partition ? "VMALL_CLASS=long" : "VMALL_CLASS=short", NULL};
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
        job.spank_job_env = asked;
        job.spank_job_env_size = 1;
    }
    if (slurm_submit_batch_job(&job, &answer) == SLURM_SUCCESS) {
        slurm_free_submit_response_response_msg(answer);
        return;
    }
    fprintf(stderr, "sched-agents: job %u: %s\n", number, slurm_strerror(errno));
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

static int submit(unsigned count, unsigned malleable, unsigned base, char *partition) {
    enum { THREADS = 6 };
    struct series series = {0, count, malleable, base, partition, false};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, submit_some, &series);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return series.failed;
}

static int nodes(uint16_t port, unsigned seconds) {
    run_seconds = seconds;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, 256 * 1024);
    pthread_t thread;
    pthread_create(&thread, &detached, end_jobs, NULL);
    const int listener = slurm_init_msg_engine_port(port);
    if (listener < 0)
        return 1;
    for (;;) {
        slurm_addr_t from;
        const int connection = slurm_accept_msg_conn(listener, &from);
        if (connection >= 0 &&
            pthread_create(&thread, &detached, serve, (void *)(intptr_t)connection))
            close(connection);
    }
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
        if (slurm_load_job(&answer, job_id, 0) == SLURM_SUCCESS)
            slurm_free_job_info_msg(answer);
        const double now = seconds_now();
        printf("answer %.3f %.6f\n", now - began, now - start);
    }
    pthread_join(thread, NULL);
    return 0;
}

int main(int argc, char **argv) {
    slurm_init(NULL);
    if ((argc == 5 || argc == 6) && !strcmp(argv[1], "submit"))
        return submit(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), argv[5]);
    if (argc == 4 && !strcmp(argv[1], "nodes"))
        return nodes(atoi(argv[2]), atoi(argv[3]));
    if (argc == 4 && !strcmp(argv[1], "watch"))
        return watch(atoi(argv[2]), atoi(argv[3]));
    fprintf(stderr, "usage: sched-agents submit COUNT MALLEABLE NODES [PARTITION] | "
                    "nodes PORT SECONDS | watch SECONDS JOB\n");
    return 2;
}
