/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPUs that GRES bring with them (--cpus-per-gpu, DefCpuPerGPU): read, so that a scheduler can
 * count them, and left out while it has Slurm select the cores that it has chosen.
 */
#ifndef VMALL_GLUE_GRES_CPUS_H
#define VMALL_GLUE_GRES_CPUS_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/job_start.h"

#include "src/slurmctld/slurmctld.h"

/* Of the two only one is not 0. */
struct vmall_gres_cpus {
    uint32_t of_job;  /* all of its GRES, on as many nodes as it has, or asks for at least */
    uint32_t of_task; /* where GRES are counted by tasks */
};

/* `partition`: whose DefCpuPerGPU holds before slurm.conf's; may be NULL. */
struct vmall_gres_cpus vmall_cpus_of_gres(const job_record_t *record,
                                          const part_record_t *partition);

/* What of a request goes by GRES and would keep Slurm from the chosen cores. */
struct vmall_gres_request;

/* Until vmall_give_back_gres(), the job's GRES bring no CPUs, and those that are counted by tasks
 * are counted by nodes: for the shape's processes, as a shape's tasks are cores. NULL: the job has
 * no GRES. */
struct vmall_gres_request *vmall_take_cpus_off_gres(job_record_t *record,
                                                    const struct vmall_shape *shape);
/* To the same record, or to one that Slurm has copied from it since. `request` may be NULL. */
void vmall_give_back_gres(job_record_t *record, const struct vmall_gres_request *request);
void vmall_free_gres_request(struct vmall_gres_request *request);

#endif
