/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The runtime page: what the ranks of a job on one node write for each other and for the agent.
 *
 * One System V shared memory segment per job and node, found by the key in the job's control block,
 * owned by the job's user, mode 0600, made by root's agent full of zeros but for `pid_namespace`,
 * and VMALL_RUNTIME_BYTES long, which nobody can change. Every rank attaches it; all MPI programs
 * of the job on the node share one. The job writes it, so whoever reads it takes any value for
 * possible: indices are checked, counters may jump, nothing in it is waited for without a bound.
 *
 * Fields are naturally aligned and accessed with atomic operations only.
 */
#ifndef VMALL_RUNTIME_PAGE_H
#define VMALL_RUNTIME_PAGE_H

#include <stdint.h>

#define VMALL_RUNTIME_MAGIC 0x564d5250u /* "VMRP" */
#define VMALL_RUNTIME_VERSION 3u
#define VMALL_RUNTIME_SLOTS 1024u
#define VMALL_RUNTIME_CPUS 1024u
#define VMALL_RUNTIME_VOICES 3u
#define VMALL_RUNTIME_BYTES (256u * 1024u)

/* What a rank is doing, as far as the others of its CPU need to know. */
enum vmall_runtime_state {
    VMALL_RUNTIME_ABSENT = 0,  /* not to be handed a CPU: stopped, asleep outside MPI, or gone */
    VMALL_RUNTIME_RUNNING = 1, /* computes, or polls in its turn */
    VMALL_RUNTIME_WAITING = 2, /* sleeps on `wake` until it is handed the CPU */
};

/* Where the runtime sees the ranks wait. */
enum vmall_runtime_engine {
    VMALL_ENGINE_UCX = 1,
    VMALL_ENGINE_OPEN_MPI = 2,
    VMALL_ENGINE_GENERIC = 4, /* in MPI's own calls */
    VMALL_ENGINE_NONE = 8,    /* nowhere: it does not know the MPI library */
};

/* One rank; two cache lines of its own. Claimed by storing `owner` into a slot whose owner is 0,
 * dead, or another process by now. */
struct vmall_runtime_slot {
    uint64_t owner; /* process id << 32 | low 32 bits of its start time in clock ticks; 0: free */
    uint32_t local_rank; /* among the ranks of its MPI program on this node */
    uint32_t local_size; /* number of those ranks */
    uint32_t state;      /* enum vmall_runtime_state */
    uint32_t wake;       /* futex, counts the times somebody woke this rank */
    uint32_t cpu_plus_1; /* the operating system's number of the CPU it shares, plus 1; 0: none */
    uint32_t turn_on_plus_1; /* CPU whose turn the rank has or is about to be handed, plus 1; 0:
                                none. Who hands over sets it first. It has the turn if the token of
                                that CPU names it, too */
    /* Counters since the rank attached. */
    uint64_t switches;   /* times it handed the CPU to another rank */
    uint64_t useful_ns;  /* between a wait's end and the next one's start, while it takes turns */
    uint64_t waiting_ns; /* in MPI without a message, whether it slept or polled; late by a second
                            at most while it takes no turns */
    uint64_t asleep_ns;  /* of it, until its turn */
    uint64_t sent;       /* messages to anybody; as late */
    uint64_t arrived;    /* messages to this rank, counted by those senders that run on this node
                            and take turns */
    uint64_t consumed;   /* messages this rank has taken; arrived - consumed wait for it */
    /* Hints by which messages find their slot; all 0: not known. */
    uint64_t address;   /* digest of the rank's address in the MPI library's transport */
    uint32_t waits_for; /* what the sender of the message that it waits for calls itself; 0:
                           nobody in particular */
    uint32_t speaks_as[VMALL_RUNTIME_VOICES]; /* bits 32 to 63 of its messages' tags (communicator
                                                 and rank in it), plus 1; those it used last */
    uint32_t news;  /* what it may go on by, counted likewise: messages of whom it waits for, or of
                       anybody if it waits for nobody in particular; remote memory operations; that a
                       long message of its own was fetched */
    uint32_t heard; /* hint: `news` before it last polled in vain */
    uint32_t padding[2];
};

/* One CPU's run queue; its members are the slots with its cpu_plus_1. */
struct vmall_runtime_queue {
    uint32_t token;       /* slot index + 1 of the rank whose turn it is; 0: nobody's */
    uint32_t empty_turns; /* turns in a row, of whichever rank, without anything to do */
    uint32_t turns;       /* ever given away */
    uint8_t padding[52];
};

struct vmall_runtime_page {
    uint32_t magic; /* 0: not formatted yet; stored last by the first rank */
    uint32_t version;
    uint32_t size;          /* sizeof(struct vmall_runtime_page) */
    uint32_t membership;    /* futex, counts the changes of who owns a slot */
    uint32_t run_queues;    /* VMALL_QUEUES_LOCAL or _KERNEL: those of VMALL_QUEUES_DETECTED */
    uint32_t pid_namespace; /* inode of that whose process ids owners have: the agent's */
    uint32_t engines;       /* of all ranks that ever came: enum vmall_runtime_engine, summed */
    uint32_t padding_1;
    uint64_t calls; /* of MPI that may wait, by ranks that share CPUs; late by a few */
    uint8_t padding[24];
    struct vmall_runtime_slot slots[VMALL_RUNTIME_SLOTS];
    struct vmall_runtime_queue queues[VMALL_RUNTIME_CPUS]; /* by operating system CPU number */
};

#endif
