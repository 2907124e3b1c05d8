/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parity_nodes.h"

#include "node_registration.h"
#include "slurmglue/internal/releases.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include SLURM_CONNECTION_H
#include "src/common/log.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

static const int receive_timeout_ms = 10000;

void nodes_begin(void) {
    log_options_t options = LOG_OPTS_STDERR_ONLY;
    log_init("parity-nodes", options, 0, NULL);
    slurm_init(NULL);
}

bool node_listen(struct node_listener *listener) {
    listener->descriptor = slurm_init_msg_engine_port(listener->port);
    return listener->descriptor >= 0;
}

static int64_t run_time(const char *script) {
    const char *sleeps = script ? strstr(script, "sleep ") : NULL;
    long long seconds = 0;
    if (sleeps)
        sscanf(sleeps, "sleep %lld", &seconds);
    return seconds;
}

static struct node_message understood(const slurm_msg_t *message) {
    switch (message->msg_type) {
    case REQUEST_BATCH_JOB_LAUNCH: {
        const batch_job_launch_msg_t *launch = message->data;
        return (struct node_message){NODE_LAUNCH, JOB_OF(launch), run_time(launch->script)};
    }
    case REQUEST_TERMINATE_JOB:
    case REQUEST_ABORT_JOB:
    case REQUEST_KILL_TIMELIMIT:
    case REQUEST_KILL_PREEMPTED: {
        const kill_job_msg_t *end = message->data;
        return (struct node_message){NODE_END, end->step_id.job_id, 0};
    }
    default:
        return (struct node_message){NODE_NOTHING, 0, 0};
    }
}

struct node_message node_answer(const struct node_listener *listener) {
    struct node_message result = {NODE_NOTHING, 0, 0};
    slurm_addr_t peer;
    vmall_connection_t connection = slurm_accept_msg_conn(listener->descriptor, &peer);
    if (!IS_CONNECTED(connection))
        return result;
    slurm_msg_t message;
    slurm_msg_t_init(&message);
    if (slurm_receive_msg(connection, &message, receive_timeout_ms) == SLURM_SUCCESS) {
        result = understood(&message);
        if (message.msg_type == REQUEST_NODE_REGISTRATION_STATUS)
            register_node(listener->node); /* is the answer */
        else
            slurm_send_rc_msg(&message, result.request == NODE_END
                                            ? ESLURMD_KILL_JOB_ALREADY_COMPLETE
                                            : SLURM_SUCCESS);
    }
    slurm_free_msg_members(&message);
    vmall_close(connection);
    return result;
}

bool node_job_ended(const char *node, uint32_t job) {
    complete_batch_script_msg_t complete = {.node_name = (char *)node};
    JOB_OF(&complete) = job;
    slurm_msg_t message;
    slurm_msg_t_init(&message);
    message.msg_type = REQUEST_COMPLETE_BATCH_SCRIPT;
    message.data = &complete;
    int code = SLURM_SUCCESS;
    return slurm_send_recv_controller_rc_msg(&message, &code, working_cluster_rec) ==
               SLURM_SUCCESS &&
           code == SLURM_SUCCESS;
}
