/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When advanced reservations need what a job has.
 */
#ifndef VMALL_GLUE_NEXT_RESERVATION_H
#define VMALL_GLUE_NEXT_RESERVATION_H

#include "slurmglue/internal/releases.h"

#include "src/common/bitstring.h"
#include "src/slurmctld/slurmctld.h"

#include <time.h>

/* When the first reservation begins, or has begun, that is not the job's own and has some of these
 * nodes; of an active job, some of its cores. 0: there is none. */
time_t vmall_next_reservation(const job_record_t *record, bitstr_t *nodes);

/* When the job's own reservation ends, and with it its jobs. 0: it has none, or may outlast it. */
time_t vmall_own_reservation_end(const job_record_t *record);

#endif
