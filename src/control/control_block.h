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
#define VMALL_CONTROL_VERSION 1u
#define VMALL_CONTROL_MAX_CPUS 1024u

/* The machine claims more cores than it has, so cores of different jobs are the same real CPU:
 * a process that waits gives its CPU away even where its own job has nobody else to run. */
#define VMALL_CONTROL_OVERCLAIMED 0x1u

struct vmall_control_block {
    uint32_t magic;
    uint32_t version;
    uint32_t sequence; /* futex; odd while the agent writes */
    uint32_t job_id;
    uint64_t generation; /* of the target that is applied; 0 at the start of the job */
    uint32_t flags;
    uint32_t mpl;        /* processes per claimed core, at least 1 */
    uint32_t core_count; /* claimed cores of the job on this node */
    uint32_t cpu_count;  /* entries used in cpus[] */
    /* Operating system CPU numbers of the allotment, neighbours next to each other (hwloc's logical
     * order), without repeats. */
    uint16_t cpus[VMALL_CONTROL_MAX_CPUS];
};

/* Environment of a task, set by the agent's side of spank_vm. */
#define VMALL_ENV_CONTROL "VMALL_CONTROL" /* path of the control block */
#define VMALL_ENV_RUNTIME "VMALL_RUNTIME" /* path of the page the job writes */

#endif
