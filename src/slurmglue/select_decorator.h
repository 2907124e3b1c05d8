/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A select plugin that forwards every call to Slurm's own select/cons_tres and tells hooks about
 * it.
 *
 * Slurm loads it in every daemon and command; the hooks are only called in slurmctld, under its
 * locks, and must neither wait nor throw.
 */
#ifndef VMALL_GLUE_SELECT_DECORATOR_H
#define VMALL_GLUE_SELECT_DECORATOR_H

#include "slurmglue/applicant.h"
#include "slurmglue/company.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vmall_starter {
    VMALL_NOBODY_STARTS, /* the job now: "nodes busy" */
    VMALL_SLURM_STARTS,  /* on the nodes that stock Slurm would choose */
    VMALL_WE_START
};

/* No more cores of a node than these are for the job that is being started. */
struct vmall_core_limit {
    uint32_t node;
    uint32_t cores;
};

struct vmall_select_hooks {
    /* Our scheduler plugin, as slurm.conf names it. */
    const char *scheduler;
    /* Slurm is about to look for cores to start this job on, now. Not asked where slurm.conf names
     * another scheduler, which is logged. */
    enum vmall_starter (*who_starts)(const struct vmall_applicant *job);
    /* This waiting job, which nobody starts now, does not fit the machine: there is no time at
     * which it will start. Not asked where slurm.conf names another scheduler. */
    bool (*has_no_machine)(uint32_t job_id);
    /* Nobody is to be started anywhere now. Not asked where slurm.conf names another scheduler. */
    bool (*closes_all_nodes)(void);
    /* How many, and which: nodes where nobody is to be started now, if not all are. Likewise. */
    const uint32_t *(*closed_nodes)(uint32_t *count);
    /* Whether what this thread starts lends cores of its whole nodes, and then to whom: it is not
     * started where others are. False for all threads but our scheduler's. */
    bool (*lends_whole_nodes)(enum vmall_company *company);
    /* How many, and which: ascending; none: any number of cores. None for all threads but our
     * scheduler's. */
    const struct vmall_core_limit *(*core_limits)(uint32_t *count);
    /* A job starts: what there is to say of it in the log, after its name, if it asked for virtual
     * malleability and is not granted it. Freed with free(); NULL: nothing. */
    char *(*refusal)(const struct vmall_applicant *job);
    /* A job was submitted, started, suspended, resumed or left with fewer nodes, or it ended. */
    void (*changed)(void);
    /* slurmctld has read slurm.conf, when it starts and again. */
    void (*reconfigured)(void);
    /* It has taken over what it read there; or nodes or partitions have changed since. */
    void (*configured)(void);
};

/* Defined by the plugin that is made of the decorator; read once when the plugin is loaded. */
extern const struct vmall_select_hooks vmall_select_hooks;

/* The number by which the plugin is known to Slurm (its symbol plugin_id), which sends it with
 * records and saves it: 100 or more, and its own. Since 25.05 it is that of select/cons_tres. */
uint32_t vmall_select_number(uint32_t own);

/* What the plugin answers to vmall_select_ask() (select_question.h): a table that only our plugins
 * know. */
extern const void *const vmall_select_answer;

#ifdef __cplusplus
}
#endif

#endif
