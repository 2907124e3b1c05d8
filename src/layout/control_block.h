/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The job control block: what root's node agent tells the processes of a job.
 *
 * One file per job and node, RUNTIMEDIR/JOBID/control, owned by root, mode 0644, in a directory
 * that only root can write; the processes of the job map it read-only. It always holds a whole
 * target, never a change (doc/protocol.md).
 *
 * Writing: `sequence` is made odd, the fields are changed, `sequence` is made even again, and
 * everybody who waits on it is woken (FUTEX_WAKE, shared). Reading: copy between two reads of the
 * same even value.
 */
#ifndef VMALL_CONTROL_BLOCK_H
#define VMALL_CONTROL_BLOCK_H

#include <stdint.h>

#define VMALL_CONTROL_MAGIC 0x564d4342u /* "VMCB" */
#define VMALL_CONTROL_VERSION 3u
#define VMALL_CONTROL_MAX_CPUS 1024u

/* The machine claims more cores than it has, so cores of different jobs are the same real CPU:
 * a process that waits gives its CPU away even where its own job has nobody else to run. */
#define VMALL_CONTROL_OVERCLAIMED 0x1u

/* How the ranks of a folded job share a CPU (thesis, s. 4.3.1 and table 4.4). */
enum vmall_coscheduling {
    VMALL_COSCHEDULING_SELF = 0, /* a rank that waits hands its CPU to the next */
    VMALL_COSCHEDULING_NONE = 1, /* left to the kernel */
};

/* Who gets the turn that a rank gives away (thesis, s. 4.3.1 c). */
enum vmall_next_rank {
    VMALL_NEXT_ROUND_ROBIN = 0, /* the next that has got a message */
    VMALL_NEXT_MESSAGES = 1,    /* the one with the most unconsumed messages */
    VMALL_NEXT_SENDER = 2,      /* the one whose message is waited for */
};

/* Whom a CPU may be handed to. */
enum vmall_run_queues {
    VMALL_QUEUES_LOCAL = 0,    /* the ranks placed on it */
    VMALL_QUEUES_KERNEL = 1,   /* no turns: ranks yield to each other, anywhere in the allotment */
    VMALL_QUEUES_DETECTED = 2, /* local ones or the kernel's, by which the job gets on faster */
};

struct vmall_control_block {
    uint32_t magic;
    uint32_t version;
    uint32_t sequence; /* futex; odd while the agent writes */
    uint32_t job_id;
    uint64_t generation; /* of the target that is applied; 0 at the start of the job */
    uint32_t flags;
    uint32_t mpl;           /* processes per claimed core, or per place, at least 1 */
    uint32_t core_count;    /* claimed cores of the job on this node */
    uint32_t cpu_count;     /* entries used in cpus[] */
    uint32_t coscheduling;  /* enum vmall_coscheduling */
    uint32_t next_rank;     /* enum vmall_next_rank */
    uint32_t run_queues;    /* enum vmall_run_queues */
    uint32_t cpus_per_rank; /* of all threads of a rank together (--cpus-per-task), at least 1 */
    uint32_t node_count;    /* of the job; with one node every message comes from this one */
    uint32_t runtime_key;   /* of the runtime page (runtime_page.h); 0: there is none */
    /* Operating system CPU numbers of the allotment, neighbours next to each other (hwloc's logical
     * order), without repeats. */
    uint16_t cpus[VMALL_CONTROL_MAX_CPUS];
};

/* Environment of a task, set by the agent's side of spank_vm. */
#define VMALL_ENV_CONTROL "VMALL_CONTROL" /* path of the control block */
/* Path of a text of what the control block says of the allotment, for programs and scripts. */
#define VMALL_ENV_ALLOTMENT "VMALL_ALLOTMENT"

#endif
