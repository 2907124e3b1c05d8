/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What test/bench/sched needs beside slurmctld, with Slurm's own library:
 *
 *   sched-agents nodes PORT SECONDS     answers as the slurmd of every node that leads to PORT; a
 * batch job ends after SECONDS to twice SECONDS sched-agents submit COUNT MALLEABLE NODES submits
 * COUNT jobs, of which MALLEABLE in a hundred are virtually malleable, over NODES, twice and four
 * times NODES nodes sched-agents probe SECONDS JOB      asks for a job's record without pause;
 * prints how long answers took
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

static int submit(unsigned count, unsigned malleable, unsigned base) {
    char *environment[] = {"PATH=/usr/bin:/bin", NULL};
    char *asked[] = {"VMALL_CLASS=short", NULL};
    for (unsigned i = 0; i < count; i++) {
        const unsigned width = base << i % 3;
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
        job.time_limit = 10 + i % 7;
        if (i * 37 % 100 < malleable) {
            job.spank_job_env = asked;
            job.spank_job_env_size = 1;
        }
        if (slurm_submit_batch_job(&job, &answer) != SLURM_SUCCESS) {
            fprintf(stderr, "sched-agents: job %u: %s\n", i, slurm_strerror(errno));
            return 1;
        }
        slurm_free_submit_response_response_msg(answer);
    }
    return 0;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int probe(unsigned seconds, uint32_t job_id) {
    const double end = seconds_now() + seconds;
    double *took = NULL;
    size_t count = 0;
    for (double start; (start = seconds_now()) < end; usleep(2000)) {
        job_info_msg_t *answer = NULL;
        if (slurm_load_job(&answer, job_id, 0) == SLURM_SUCCESS)
            slurm_free_job_info_msg(answer);
        took = realloc(took, (count + 1) * sizeof(*took));
        took[count++] = seconds_now() - start;
    }
    qsort(took, count, sizeof(*took), ascending);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += took[i];
    printf("%zu %.6f %.6f %.6f %.6f\n", count, took[count / 2], took[count * 99 / 100],
           took[count - 1], sum);
    free(took);
    return 0;
}

int main(int argc, char **argv) {
    slurm_init(NULL);
    if (argc == 4 && !strcmp(argv[1], "nodes"))
        return nodes(atoi(argv[2]), atoi(argv[3]));
    if (argc == 5 && !strcmp(argv[1], "submit"))
        return submit(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    if (argc == 4 && !strcmp(argv[1], "probe"))
        return probe(atoi(argv[2]), atoi(argv[3]));
    fprintf(stderr, "usage: sched-agents nodes PORT SECONDS | submit COUNT MALLEABLE NODES | "
                    "probe SECONDS JOB\n");
    return 2;
}
