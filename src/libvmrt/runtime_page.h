/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The runtime page: what the ranks of a job on one node write for each other and for the agent.
 *
 * One file per job and node, owned by the job's user, mode 0600, created by root's agent full of
 * zeros and at least VMALL_RUNTIME_MINIMUM_BYTES long. Every rank maps it shared; all MPI programs
 * of the job on the node share one. The job writes it, so whoever reads it takes any value for
 * possible: indices are checked, counters may jump, nothing in it is waited for without a bound.
 *
 * Fields are naturally aligned and accessed with atomic operations only.
 */
#ifndef VMALL_RUNTIME_PAGE_H
#define VMALL_RUNTIME_PAGE_H

#include <stdint.h>

#define VMALL_RUNTIME_MAGIC 0x564d5250u /* "VMRP" */
#define VMALL_RUNTIME_VERSION 1u
#define VMALL_RUNTIME_SLOTS 1024u
#define VMALL_RUNTIME_CPUS 1024u
#define VMALL_RUNTIME_MINIMUM_BYTES (256u * 1024u)

/* What a rank is doing, as far as the others of its CPU need to know. */
enum vmall_runtime_state {
    VMALL_RUNTIME_ABSENT = 0,  /* not to be handed a CPU: stopped, asleep outside MPI, or gone */
    VMALL_RUNTIME_RUNNING = 1, /* computes, or polls in its turn */
    VMALL_RUNTIME_WAITING = 2, /* sleeps on `wake` until it is handed the CPU */
};

/* One rank. Claimed by storing `owner` into a slot whose owner is 0, dead, or another process by
 * now. */
struct vmall_runtime_slot {
    uint64_t owner; /* process id << 32 | low 32 bits of its start time in clock ticks; 0: free */
    uint32_t local_rank; /* among the ranks of its MPI program on this node */
    uint32_t local_size; /* number of those ranks */
    uint32_t state;      /* enum vmall_runtime_state */
    uint32_t wake;       /* futex, counts the times somebody woke this rank */
    uint32_t
        cpu_plus_1; /* operating system number of the CPU it shares, plus 1; 0: it shares none */
    uint32_t reserved;
    /* Counters since the rank attached, kept only while it shares a CPU. */
    uint64_t waits;      /* times it gave up its turn */
    uint64_t switches;   /* times it handed the CPU to another rank */
    uint64_t useful_ns;  /* turns in which it received a message or computed */
    uint64_t waiting_ns; /* sleep, and turns in which it had nothing to do */
    uint8_t padding[64]; /* a slot fills two cache lines of its own */
};

/* One CPU's run queue; its members are the slots with its cpu_plus_1. */
struct vmall_runtime_queue {
    uint32_t token;       /* slot index + 1 of the rank whose turn it is; 0: nobody's */
    uint32_t empty_turns; /* turns in a row, of whichever rank, without anything to do */
    uint8_t padding[56];
};

struct vmall_runtime_page {
    uint32_t magic; /* 0: not formatted yet; stored last by the first rank */
    uint32_t version;
    uint32_t size;       /* sizeof(struct vmall_runtime_page) */
    uint32_t membership; /* counts the changes of who owns a slot */
    uint8_t padding[48];
    struct vmall_runtime_slot slots[VMALL_RUNTIME_SLOTS];
    struct vmall_runtime_queue queues[VMALL_RUNTIME_CPUS]; /* by operating system CPU number */
};

#endif
