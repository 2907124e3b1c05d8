/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every difference between the releases of Slurm that this is built for, each with the release in
 * which it changed; no other file asks which one it is built for. The other files of slurmglue are
 * written for the newest: where an older one lacks something, it is made up here.
 *
 * A release is added to the list below once slurmglue was read against it and its daemons have run
 * with it, never before; CONTRIBUTING.md says which tests were run with which.
 */
#ifndef VMALL_GLUE_RELEASES_H
#define VMALL_GLUE_RELEASES_H

/* Slurm's functions by the names that programs with libslurm have them by, too: those load select
 * plugins. */
#include "src/common/slurm_xlator.h"

#include "slurm/slurm.h"
#include "src/common/bitstring.h"

#define IS_RELEASE(year, month) (SLURM_VERSION_NUMBER >> 8 == ((year) << 8 | (month)))
#define SINCE_MICRO(year, month, micro)                                                            \
    (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(year, month, micro))
#define SINCE(year, month) SINCE_MICRO(year, month, 0)

#if !IS_RELEASE(22, 5) && (!SINCE(23, 11) || SINCE(26, 6))
#error "slurm-vmall knows Slurm 22.05, and 23.11 to 26.05: others were neither read nor run"
#endif

/* 23.02: plugin interfaces have a folder of their own. */
#if SINCE(23, 2)
#define SLURM_ACCOUNTING_STORAGE_H "src/interfaces/accounting_storage.h"
#define SLURM_ACCT_GATHER_ENERGY_H "src/interfaces/acct_gather_energy.h"
#define SLURM_CGROUP_H "src/interfaces/cgroup.h"
#define SLURM_GRES_H "src/interfaces/gres.h"
#define SLURM_MCS_H "src/interfaces/mcs.h"
#define SLURM_PREEMPT_H "src/interfaces/preempt.h"
#define SLURM_SELECT_H "src/interfaces/select.h"
#define SLURM_TOPOLOGY_H "src/interfaces/topology.h"
#else
#define SLURM_ACCOUNTING_STORAGE_H "src/common/slurm_accounting_storage.h"
#define SLURM_ACCT_GATHER_ENERGY_H "src/common/slurm_acct_gather_energy.h"
#define SLURM_CGROUP_H "src/common/cgroup.h"
#define SLURM_GRES_H "src/common/gres.h"
#define SLURM_MCS_H "src/common/slurm_mcs.h"
#define SLURM_PREEMPT_H "src/slurmctld/preempt.h"
#define SLURM_SELECT_H "src/common/select.h"
#define SLURM_TOPOLOGY_H "src/common/slurm_topology.h"
#endif

/* 23.11: the plugin for machines without a topology has another name. 25.05: where there is a
 * topology.yaml, it says which topologies there are, and partitions name theirs. */
#if SINCE(25, 5)
#define vmall_has_no_topology(partition)                                                           \
    (!(partition)->topology_idx && topology_get_plugin_id() == TOPOLOGY_PLUGIN_FLAT)
#elif SINCE(23, 11)
#define vmall_has_no_topology(partition) !xstrcmp(slurm_conf.topology_plugin, "topology/default")
#else
#define vmall_has_no_topology(partition) !xstrcmp(slurm_conf.topology_plugin, "topology/none")
#endif

/* 23.11: select/cons_res is gone, and what it shared with select/cons_tres is the latter's. */
#if SINCE(23, 11)
#define SLURM_PART_DATA_H "src/plugins/select/cons_tres/part_data.h"
#else
#define SLURM_PART_DATA_H "src/plugins/select/cons_common/part_data.h"
#endif

/* 24.05: steps can be managed elsewhere than in slurmctld. */
#if SINCE(24, 5)
#define SLURM_STEPS_H "src/stepmgr/stepmgr.h"
#define SLURM_SRUN_ALLOCATE_H "src/slurmctld/proc_req.h"
#define vmall_has_step_manager(job) (((job)->bit_flags & STEPMGR_ENABLED) != 0)
#else
#define SLURM_STEPS_H "src/slurmctld/slurmctld.h"
#define SLURM_SRUN_ALLOCATE_H "src/slurmctld/srun_comm.h"
#define vmall_has_step_manager(job) ((void)(job), false)
#endif

/* 23.02: these types have names. */
#if !SINCE(23, 2)
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
typedef struct job_details job_details_t;
#endif

/* 23.11: what reservations keep from a job is more than cores. */
#if !SINCE(23, 11)
typedef struct {
    bitstr_t *core_bitmap;
} resv_exc_t;
#define reservation_delete_resv_exc_parts(excluded) FREE_NULL_BITMAP((excluded)->core_bitmap)
#define JOB_TEST_RESV(job, when, nodes, excluded, overlap)                                         \
    job_test_resv(job, when, false, nodes, &(excluded)->core_bitmap, overlap, false)
#elif !SINCE(26, 5)
#define JOB_TEST_RESV(job, when, nodes, excluded, overlap)                                         \
    job_test_resv(job, when, false, nodes, excluded, overlap, false)
#else
/* Between 26.05.3 and 26.05.5: it answers one thing more. The number of a release does not tell,
 * its declaration does; the compiler wants calls in either way to be valid. */
#define RESERVATION_TEST(...)                                                                      \
    int (*)(job_record_t *, time_t *, bool, bitstr_t **, resv_exc_t *, __VA_ARGS__)
#define JOB_TEST_RESV(job, when, nodes, excluded, overlap)                                         \
    ({                                                                                             \
        void (*test)(void) = (void (*)(void))job_test_resv;                                        \
        _Generic(&job_test_resv, RESERVATION_TEST(bool *, bool)                                    \
                 : ((RESERVATION_TEST(bool *, bool))test)(job, when, false, nodes, excluded,       \
                                                          overlap, false),                         \
                   RESERVATION_TEST(bool *, bool *, bool)                                          \
                 : ((RESERVATION_TEST(bool *, bool *, bool))test)(                                 \
                     job, when, false, nodes, excluded, overlap, &(bool){false}, false));          \
    })
#endif

/* 25.11: it looks into the reservation that drew a job, also where that is gone. */
#if SINCE(25, 11)
#define vmall_test_reservations(job, when, nodes, excluded, overlap)                               \
    ((job)->bit_flags & JOB_MAGNETIC && (job)->resv_name && !(job)->resv_ptr                       \
         ? ESLURM_RESERVATION_INVALID                                                              \
         : JOB_TEST_RESV(job, when, nodes, excluded, overlap))
#else
#define vmall_test_reservations JOB_TEST_RESV
#endif

/* 23.11: these can be called with the associations locked. */
#if SINCE(23, 11)
#define vmall_count_submission(job) acct_policy_add_job_submit(job, false)
#define vmall_count_start(job) acct_policy_job_begin(job, false)
#else
#define vmall_count_submission(job) acct_policy_add_job_submit(job)
#define vmall_count_start(job) acct_policy_job_begin(job)
#endif

/* 23.11: slurmd goes into the background before it initialises SPANK. */
#if SINCE(23, 11)
#define SPANK_IS_INITIALISED_IN_THE_BACKGROUND true
#else
#define SPANK_IS_INITIALISED_IN_THE_BACKGROUND false
#endif

/* 23.11: steps of a job that was resized are shown without being told. */
#if SINCE(23, 11)
#define JOB_RESIZED 0
#endif

/* 23.11.5: a job's state is set by functions. */
#if !SINCE_MICRO(23, 11, 5)
#define job_state_unset_flag(job, flag) ((job)->job_state &= ~(flag))
#endif

/* 23.11: a step remembers how many CPUs it has taken on each of its nodes, by runs of equal ones.
 */
#if SINCE(23, 11)
#define vmall_add_step_cpus(step, nth_node, added)                                                 \
    vmall_add_to_value(&(step)->cpu_alloc_values, &(step)->cpu_alloc_reps,                         \
                       &(step)->cpu_alloc_array_cnt, nth_node, added)
#else
#define vmall_add_step_cpus(step, nth_node, added) ((void)(step), (void)(nth_node), (void)(added))
#endif

/* 23.11.6: this can be asked with the associations locked. */
#if SINCE_MICRO(23, 11, 6)
#define vmall_is_coordinator(user, account)                                                        \
    assoc_mgr_is_user_acct_coord(acct_db_conn, user, account, false)
#else
#define vmall_is_coordinator(user, account)                                                        \
    assoc_mgr_is_user_acct_coord(acct_db_conn, user, account)
#endif

/* 24.05: reasons to wait are looked up by kind. */
#if SINCE(24, 5)
#define SLURM_WAIT_REASONS_H "src/common/job_state_reason.h"
#define acct_policy_job_runnable_state(job)                                                        \
    (!job_state_reason_check((job)->state_reason, JSR_QOS_ASSOC))
#else
#define SLURM_WAIT_REASONS_H "src/slurmctld/slurmctld.h"
#endif

/* 24.05: cons_tres puts off rebuilding its rows after jobs have left them. */
#if SINCE(24, 5)
#define vmall_rows_are_current(partition) (!(partition)->rebuild_rows)
#else
#define vmall_rows_are_current(partition) ((void)(partition), true)
#endif

/* 24.11: more comes back from it. */
#if SINCE(24, 11)
#define vmall_select_nodes(job, scheduler)                                                         \
    select_nodes(&(job_node_select_t){.job_ptr = (job)}, false, false, scheduler)
#else
#define vmall_select_nodes(job, scheduler) select_nodes(job, false, NULL, NULL, false, scheduler)
#endif

/* 24.11: reservations that lose nodes to a job get others as it starts. */
#if !SINCE(24, 11)
#define resv_replace_update(job) job_claim_resv(job)
#endif

/* 24.11: slurmctld itself numbers the records of slurmdbd, and does not wait for it; but slurmdbd
 * those of federated jobs, and Slurm never asks for them. Before, the number is NO_VAL64 until
 * slurmdbd has given it; with 0, Slurm's own thread would begin a record. */
#if SINCE(24, 11)
#define SLURMDBD_NUMBERS_RECORDS false
#define vmall_new_record_number(job) vmall_new_sluid(job)
#define RECORD_HAS_NO_NUMBER ESLURM_DB_CONNECTION
#else
#define SLURMDBD_NUMBERS_RECORDS true
#define vmall_new_record_number(job) ((job)->db_index = NO_VAL64)
#define RECORD_HAS_NO_NUMBER ESLURM_JOB_SETTING_DB_INX
#endif

/* 24.11: no step is bound by its ranks any more. */
#if SINCE(24, 11)
#define CPU_BIND_RANK 0
#endif

/* 25.05: a connection can be an encrypted one. 25.11: messages name jobs as they name steps. */
#if SINCE(25, 5)
#define SLURM_CONNECTION_H "src/interfaces/conn.h"
#define vmall_connection_t void *
#define IS_CONNECTED(connection) (connection)
#define vmall_close(connection) conn_g_destroy(connection, true)
#else
#define SLURM_CONNECTION_H "src/common/slurm_protocol_api.h"
#define vmall_connection_t int
#define IS_CONNECTED(connection) ((connection) >= 0)
#define vmall_close(connection) close(connection)
#endif
#if SINCE(25, 11)
#define JOB_OF(message) (message)->step_id.job_id
#else
#define JOB_OF(message) (message)->job_id
#endif

/* 25.11: a requeue keeps the number; the bits of SelectTypeParameters have other names; jobs are
 * requeued by their record. */
#if SINCE(25, 11)
#define vmall_new_sluid(job) job_record_set_sluid(job, false)
#define CR_CPU SELECT_CPU
#define CR_CORE SELECT_CORE
#define CR_SOCKET SELECT_SOCKET
#define CR_MEMORY SELECT_MEMORY
#define CR_LLN SELECT_LLN
#define vmall_requeue(job) job_requeue_internal(0, job, false, 0)
#else
#define vmall_new_sluid(job) job_record_set_sluid(job)
#define vmall_requeue(job) job_requeue(0, (job)->job_id, NULL, false, 0)
#endif

/* 26.05: commands ask for jobs as they ask for steps. */
#if SINCE(26, 5)
#define ASKED_JOB(id)                                                                              \
    ((slurm_step_id_t){.job_id = (id), .step_het_comp = NO_VAL, .step_id = NO_VAL})
#else
#define ASKED_JOB(id) (id)
#endif

/* 26.05: who says how many tasks and not how many nodes is held to as many nodes as tasks. */
#if !SINCE(26, 5)
#define JOB_IMPLICIT_MAX_NODES 0
#endif

/* 26.05: this has another name. */
#if !SINCE(26, 5)
#define slurm_free_conf(conf) slurm_free_ctl_conf(conf)
#endif

/* 26.05: what the select plugin knows of nodes has a lock of its own. */
#if SINCE(26, 5)
#define SELECT_LOCK(how) .select_node = how,
#else
#define SELECT_LOCK(how)
#endif

/* 25.05: Slurm takes any other number for that of a plugin that does not know cores. Before, it
 * wants a number of its own from every select plugin, from 100 up; cons_tres has 109. */
#if SINCE(25, 5)
#define SELECT_PLUGIN_NUMBER(own) ((void)(own), SELECT_PLUGIN_CONS_TRES)
#else
#define SELECT_PLUGIN_NUMBER(own) (own)
#endif

/* What slurmctld calls of select plugins, until and since which release; select_decorator.c. */
#if SINCE(23, 2)
#define UNTIL_22_05(...)
#else
#define UNTIL_22_05(...) __VA_ARGS__
#endif
#if SINCE(23, 11)
#define UNTIL_23_02(...)
#else
#define UNTIL_23_02(...) __VA_ARGS__
#endif

#if SINCE(25, 5)
#define UNTIL_24_11(...)
#else
#define UNTIL_24_11(...) __VA_ARGS__
#endif
#if SINCE(26, 5)
#define SINCE_26_05(...) __VA_ARGS__
#else
#define SINCE_26_05(...)
#endif

/* The end of select_p_job_test()'s parameters, and what they pass on. */
#if SINCE(23, 11)
#define vmall_excluded resv_exc_t
#else
#define vmall_excluded bitstr_t
#endif
#if SINCE(24, 11)
#define JOB_TEST_EXCLUDED vmall_excluded *excluded, will_run_data_t *will_run
#define JOB_TEST_EXCLUDED_VALUES excluded, will_run
#else
#define JOB_TEST_EXCLUDED vmall_excluded *excluded
#define JOB_TEST_EXCLUDED_VALUES excluded
#endif

#endif
