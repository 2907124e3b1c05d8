/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cores of a running job in its record. Changing them needs vmall_lock_to_act().
 */
#ifndef VMALL_GLUE_JOB_CORES_H
#define VMALL_GLUE_JOB_CORES_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/job_view.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/slurmctld/slurmctld.h"

/* The job's core bitmap strings its nodes together: the bit of a node's first core. */
struct vmall_node_slice {
    uint32_t node;
    bitoff_t first_core;
    uint32_t cores;
};

typedef void (*vmall_visit_slice)(const job_resources_t *resources,
                                  const struct vmall_node_slice *slice, void *context);

/* The nodes of a job, ascending; of `resources` only the bitmaps are looked at. */
void vmall_visit_slices(const job_resources_t *resources, vmall_visit_slice visit, void *context);

/* The same; `slices` has room for nhosts. */
void vmall_find_slices(const job_resources_t *resources, struct vmall_node_slice *slices);

/* CPUs of the job on its n-th node with these cores: as many on each core as it has now. */
uint16_t vmall_cpus_on(const job_resources_t *resources, uint32_t n,
                       const struct vmall_node_slice *slice, const struct vmall_node_cores *target);

/* Gives the job these cores in its own record and in the select plugin; nobody else is told. One
 * target for each slice. */
void vmall_set_cores(job_record_t *job, const struct vmall_node_slice *slices,
                     const struct vmall_node_cores *target);

#endif
