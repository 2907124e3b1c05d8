/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compute nodes that are only their answers to slurmctld: every job starts at once, runs as long as
 * its script says
 * ("sleep SECONDS"), and is gone at once when slurmctld ends it. slurm.conf is found as every
 * command finds it.
 */
#ifndef TEST_BENCH_PARITY_NODES_H
#define TEST_BENCH_PARITY_NODES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct node_listener {
    const char *node;
    uint16_t port;
    int descriptor;
};

/* What slurmctld asked for, as far as it matters when. */
enum node_request { NODE_NOTHING, NODE_LAUNCH, NODE_END };

struct node_message {
    enum node_request request;
    uint32_t job;
    int64_t seconds; /* NODE_LAUNCH: how long the job runs */
};

/* Reads slurm.conf. */
void nodes_begin(void);

/* Listens on the port; false with errno. */
bool node_listen(struct node_listener *listener);

/* Receives and answers one message. */
struct node_message node_answer(const struct node_listener *listener);

/* Tells slurmctld that the job's script has ended; false if it did not take it. */
bool node_job_ended(const char *node, uint32_t job);

#ifdef __cplusplus
}
#endif

#endif
