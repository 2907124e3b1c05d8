/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Heterogeneous jobs under SchedulerType=sched/fjt. Only sched/backfill starts them, so slurmctld
 * refuses them unless it reads SchedulerType=sched/backfill. sched/fjt has loaded that; while it
 * runs, slurmctld therefore reads so. It looks when the first of these jobs comes and keeps the
 * answer; for the rest, all that it does with sched/backfill's name is to load and to show it.
 */
#ifndef VMALL_GLUE_HET_JOBS_H
#define VMALL_GLUE_HET_JOBS_H

#ifdef __cplusplus
extern "C" {
#endif

/* For all of these: slurmctld's configuration, locked for writing. Not recursive. */
void vmall_lock_configuration(void);
void vmall_unlock_configuration(void);

/* Once slurmctld has compared slurm.conf with what it was before, and no sooner: it does not start
 * where SchedulerType differs. No-op if they are offered already. */
void vmall_offer_het_jobs(void);

/* When slurmctld has read slurm.conf again, and before it compares: as above. */
void vmall_go_on_offering_het_jobs(void);

/* Before slurmctld asks again which scheduler to load. No-op if they are not offered. */
void vmall_withdraw_het_jobs(void);

#ifdef __cplusplus
}
#endif

#endif
