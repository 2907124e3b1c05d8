/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sched-nodes PORT SECONDS NODES
 *
 * Answers as the slurmd of every node that leads to PORT, with Slurm's own library: n1 to nNODES,
 * which all register when slurmctld asks the first of them. A batch job ends after SECONDS to twice
 * SECONDS.
 */
#include "node_registration.h"
#include "slurmglue/internal/releases.h"

#include SLURM_CONNECTION_H
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct batch_job {
    struct batch_job *next;
    uint32_t id;
    char *node;
    time_t end;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct batch_job *batch_jobs;
static unsigned run_seconds;
static unsigned node_count;
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void register_all(void) {
    char name[16];
    for (unsigned node = 1; node <= node_count; node++) {
        snprintf(name, sizeof(name), "n%u", node);
        register_node(name);
    }
}

static void launched(const batch_job_launch_msg_t *message) {
    struct batch_job *job = xmalloc(sizeof(*job));
    /* hostlist_t is a pointer to it in 22.05, and itself from 23.02 on. */
    struct hostlist *nodes = hostlist_create(message->nodes);
    char *first = hostlist_shift(nodes);
    const uint32_t job_id = JOB_OF(message);
    *job = (struct batch_job){NULL, job_id, xstrdup(first),
                              time(NULL) + run_seconds + job_id * 7919 % (run_seconds + 1)};
    free(first);
    hostlist_destroy(nodes);
    pthread_mutex_lock(&mutex);
    job->next = batch_jobs;
    batch_jobs = job;
    pthread_mutex_unlock(&mutex);
}

static void *serve(void *argument) {
    vmall_connection_t connection = (vmall_connection_t)(intptr_t)argument;
    slurm_msg_t message;
    slurm_msg_t_init(&message);
    if (slurm_receive_msg(connection, &message, 0) == SLURM_SUCCESS) {
        if (message.msg_type == REQUEST_BATCH_JOB_LAUNCH)
            launched(message.data);
        /* The job's last process has gone and the epilog has run. */
        const bool ends = message.msg_type == REQUEST_TERMINATE_JOB ||
                          message.msg_type == REQUEST_KILL_TIMELIMIT ||
                          message.msg_type == REQUEST_ABORT_JOB;
        slurm_send_rc_msg(&message, ends ? ESLURMD_KILL_JOB_ALREADY_COMPLETE : SLURM_SUCCESS);
        if (message.msg_type == REQUEST_NODE_REGISTRATION_STATUS)
            pthread_once(&registered, register_all);
        slurm_free_msg_data(message.msg_type, message.data);
    }
    vmall_close(connection);
    return NULL;
}

static void complete(const struct batch_job *job) {
    complete_batch_script_msg_t done = {.node_name = job->node};
    JOB_OF(&done) = job->id;
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

static int serve_all(uint16_t port, unsigned seconds, unsigned nodes) {
    run_seconds = seconds;
    node_count = nodes;
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
        vmall_connection_t connection = slurm_accept_msg_conn(listener, &from);
        if (IS_CONNECTED(connection) &&
            pthread_create(&thread, &detached, serve, (void *)(intptr_t)connection))
            vmall_close(connection);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: sched-nodes PORT SECONDS NODES\n");
        return 2;
    }
    slurm_init(NULL);
    return serve_all(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
}
