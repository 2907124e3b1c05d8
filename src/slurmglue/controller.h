/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld as the scheduler plugin sees it: locks, log, where files are, nodes.
 */
#ifndef VMALL_GLUE_CONTROLLER_H
#define VMALL_GLUE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* slurmctld's data locked against change by others: for reading job records beside other readers,
 * or for going over the queue, starting, resizing and requeueing jobs. Not recursive; nothing that
 * waits (network, files) may happen inside. */
void vmall_lock_to_read(void);
void vmall_unlock_to_read(void);
void vmall_lock_to_act(void);
void vmall_unlock_to_act(void);

/* slurmctld's log. */
void vmall_log_error(const char *message);
void vmall_log_info(const char *message);
void vmall_log_verbose(const char *message);
void vmall_log_debug(const char *message);

/* False on a backup controller that is not to schedule (no_backup_scheduling). */
bool vmall_may_schedule(void);

/* Its main loop looks at the jobs that wait, before long. */
void vmall_let_slurm_schedule(void);

/* Between its start, when it reads who else is in its federation, and its end, when it takes down
 * its plugins, some of which starts, resizes and requeues would load again. Needs no lock. */
bool vmall_is_at_work(void);

/* Copied out under the configuration lock; the caller frees with free(). */
char *vmall_state_save_location(void);
char *vmall_config_path(const char *file); /* beside slurm.conf */
/* SlurmUser, root, or one whom slurmdbd knows as operator or administrator. May ask slurmdbd: not
 * under a lock. */
bool vmall_is_operator(uid_t user);
/* As for squeue: without PrivateData=jobs everybody; else operators. Of others, whether he sees the
 * jobs of this account, as its coordinator may. Likewise not under a lock. */
bool vmall_sees_jobs_of_everybody(uid_t user);
bool vmall_sees_jobs_of(uid_t user, const char *account);
char *vmall_scheduler_parameters(void); /* SchedulerParameters; empty if there are none */
/* munged's socket from AuthInfo; empty if slurm.conf does not name one. */
char *vmall_munge_socket(void);

const char *vmall_error_text(int error);

bool vmall_is_partition(const char *name); /* under vmall_lock_to_read() */

/* A node, as visited under a lock; pointers are valid during the visit. */
struct vmall_node {
    uint32_t index; /* Slurm's own, stable until a reconfiguration */
    const char *name;
    const char *address;
    uint16_t port; /* of its slurmd */
    uint32_t
        cores; /* that jobs may use: without those for the system (CoreSpecCount, CpuSpecList) */
    uint32_t cores_per_socket;
    uint32_t threads_per_core;
    bool registered;   /* since slurmctld started */
    bool switched_off; /* to save power, or about to be so or to be back */
    bool down;         /* not expected to register before long */
    bool usable;       /* for waiting jobs, or for those that are there if it is being drained */
    uint64_t memory;   /* MiB that jobs may use */
};

typedef void (*vmall_visit_node)(void *context, const struct vmall_node *node);
void vmall_visit_nodes(vmall_visit_node visit, void *context);
/* The node with this index, if there is one. */
void vmall_visit_node_at(uint32_t index, vmall_visit_node visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
