/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All of the select plugin interface, forwarded to select/cons_tres: GRES, memory, reservations and
 * topology stay Slurm's business.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/applicant_of.h"
#include "slurmglue/internal/candidates.h"
#include "slurmglue/internal/core_limits.h"
#include "slurmglue/internal/full_cpus.h"
#include "slurmglue/internal/own_plugin.h"
#include "slurmglue/internal/part_mark.h"
#include "slurmglue/internal/qos_names.h"
#include "slurmglue/internal/step_memory.h"
#include "slurmglue/internal/strangers.h"
#include "slurmglue/internal/task_layout.h"
#include "slurmglue/layout.h"
#include "slurmglue/select_decorator.h"
#include "slurmglue/select_question.h"

#include "src/common/log.h"
#include "src/common/plugin.h"
#include "src/common/run_in_daemon.h"
#include SLURM_SELECT_H
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* Every call of slurmctld and of Slurm's commands, in the order in which Slurm looks them up: what
 * it returns, its name after "select_p_", its parameters, and what it passes on. Those that decide
 * or change something are defined below, the others pass through. */
/* clang-format off */
#define SELECT_CALLS(DECIDED, PASSED)                                                            \
    UNTIL_24_11(PASSED(int, state_save, (char *directory), (directory)))                         \
    UNTIL_24_11(PASSED(int, state_restore, (char *directory), (directory)))                      \
    UNTIL_24_11(PASSED(int, job_init, (list_t *jobs), (jobs)))                                   \
    DECIDED(int, node_init, (void))                                                              \
    DECIDED(int, job_test, (job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,              \
        uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, list_t *preemptees,               \
        list_t **preempted, JOB_TEST_EXCLUDED))                                                  \
    DECIDED(int, job_begin, (job_record_t *job))                                                 \
    PASSED(int, job_ready, (job_record_t *job), (job))                                           \
    PASSED(int, job_expand, (job_record_t *from, job_record_t *to), (from, to))                  \
    DECIDED(int, job_resized, (job_record_t *job, node_record_t *node))                          \
    SINCE_26_05(PASSED(void, job_mem_reduce, (job_record_t *job), (job)))                        \
    UNTIL_22_05(PASSED(int, job_signal, (job_record_t *job, int signal), (job, signal)))         \
    DECIDED(int, job_fini, (job_record_t *job))                                                  \
    DECIDED(int, job_suspend, (job_record_t *job, bool indefinitely))                            \
    DECIDED(int, job_resume, (job_record_t *job, bool indefinitely))                             \
    UNTIL_24_11(PASSED(bitstr_t *, step_pick_nodes, (job_record_t *job, select_jobinfo_t *info,  \
        uint32_t count, bitstr_t **available), (job, info, count, available)))                   \
    UNTIL_24_11(DECIDED(int, step_start, (step_record_t *step)))                                 \
    UNTIL_24_11(PASSED(int, step_finish, (step_record_t *step, bool killing), (step, killing)))  \
    UNTIL_24_11(PASSED(int, select_nodeinfo_pack, (select_nodeinfo_t *info, buf_t *buffer,       \
        uint16_t version), (info, buffer, version)))                                             \
    UNTIL_24_11(PASSED(int, select_nodeinfo_unpack, (select_nodeinfo_t **info, buf_t *buffer,    \
        uint16_t version), (info, buffer, version)))                                             \
    UNTIL_24_11(PASSED(select_nodeinfo_t *, select_nodeinfo_alloc, (void), ()))                  \
    UNTIL_24_11(PASSED(int, select_nodeinfo_free, (select_nodeinfo_t *info), (info)))            \
    PASSED(int, select_nodeinfo_set_all, (void), ())                                             \
    PASSED(int, select_nodeinfo_set, (job_record_t *job), (job))                                 \
    UNTIL_24_11(PASSED(int, select_nodeinfo_get, (select_nodeinfo_t *info,                       \
        enum select_nodedata_type type, enum node_states state, void *data),                     \
        (info, type, state, data)))                                                              \
    UNTIL_24_11(PASSED(select_jobinfo_t *, select_jobinfo_alloc, (void), ()))                    \
    UNTIL_24_11(PASSED(int, select_jobinfo_free, (select_jobinfo_t *info), (info)))              \
    UNTIL_24_11(PASSED(int, select_jobinfo_set, (select_jobinfo_t *info,                         \
        enum select_jobdata_type type, void *data), (info, type, data)))                         \
    UNTIL_24_11(PASSED(int, select_jobinfo_get, (select_jobinfo_t *info,                         \
        enum select_jobdata_type type, void *data), (info, type, data)))                         \
    UNTIL_24_11(PASSED(select_jobinfo_t *, select_jobinfo_copy, (select_jobinfo_t *info), (info))) \
    UNTIL_24_11(PASSED(int, select_jobinfo_pack, (select_jobinfo_t *info, buf_t *buffer,         \
        uint16_t version), (info, buffer, version)))                                             \
    UNTIL_24_11(PASSED(int, select_jobinfo_unpack, (select_jobinfo_t **info, buf_t *buffer,      \
        uint16_t version), (info, buffer, version)))                                             \
    UNTIL_22_05(PASSED(char *, select_jobinfo_sprint, (select_jobinfo_t *info, char *text,       \
        size_t size, int mode), (info, text, size, mode)))                                       \
    UNTIL_22_05(PASSED(char *, select_jobinfo_xstrdup, (select_jobinfo_t *info, int mode),       \
        (info, mode)))                                                                           \
    UNTIL_24_11(PASSED(int, get_info_from_plugin, (enum select_plugindata_info question,         \
        job_record_t *job, void *data), (question, job, data)))                                  \
    UNTIL_22_05(PASSED(int, update_node_config, (int index), (index)))                           \
    DECIDED(int, reconfigure, (void))                                                            \
    UNTIL_23_02(PASSED(bitstr_t *, resv_test, (resv_desc_msg_t *reservation, uint32_t count,     \
        bitstr_t *available, bitstr_t **cores), (reservation, count, available, cores)))
/* clang-format on */

/* What Slurm looks up in every select plugin. Its own table is not in libslurm. */
#define NAME(type, name, ...) "select_p_" #name,
static const char *symbols[] = {"plugin_id", SELECT_CALLS(NAME, NAME)};

#define POINTER(type, name, parameters, ...) type(*name) parameters;
static struct {
    uint32_t *plugin_id;
    SELECT_CALLS(POINTER, POINTER)
} base;
_Static_assert(sizeof(symbols) == sizeof(base), "one name for each call");

#define PROTOTYPE(type, name, parameters, ...) EXPORT type select_p_##name parameters;
#define PASS_ON(type, name, parameters, values)                                                    \
    EXPORT type select_p_##name parameters {                                                       \
        return base.name values;                                                                   \
    }
SELECT_CALLS(PROTOTYPE, PASS_ON)

static plugin_handle_t base_plugin = PLUGIN_INVALID_HANDLE;
static bool in_controller;
static bool beside_our_scheduler;

uint32_t vmall_select_number(uint32_t own) {
    return SELECT_PLUGIN_NUMBER(own);
}

static void changed(void) {
    if (in_controller)
        vmall_select_hooks.changed();
}

EXPORT int init(void) {
    in_controller = running_in_slurmctld();
    const char *other_layout = in_controller ? vmall_other_layout() : NULL;
    if (other_layout) {
        error("%s: %s", plugin_type, other_layout);
        return SLURM_ERROR;
    }
    /* Not plugin_context_create(), which libslurm has hidden since 24.05. */
    base_plugin = plugin_load_and_link("select/cons_tres", sizeof(symbols) / sizeof(*symbols),
                                       symbols, (void **)&base);
    if (base_plugin == PLUGIN_INVALID_HANDLE) {
        error("%s: cannot load Slurm's own select/cons_tres, which it is wrapped around: "
              "install it again, or put its directory into PluginDir of slurm.conf",
              plugin_type);
        return SLURM_ERROR;
    }
    if (in_controller)
        vmall_know_candidates((const void *)base.job_test);
    beside_our_scheduler =
        in_controller && !xstrcmp(slurm_conf.schedtype, vmall_select_hooks.scheduler);
    /* Slurm loads all select plugins that are there, whichever slurm.conf names. */
    if (in_controller && !beside_our_scheduler && !xstrcmp(slurm_conf.select_type, plugin_type))
        error("%s: slurm.conf: SchedulerType is not %s: jobs that ask for virtual malleability are "
              "scheduled like the others",
              plugin_type, vmall_select_hooks.scheduler);
    return SLURM_SUCCESS;
}

EXPORT int fini(void) {
    if (base_plugin != PLUGIN_INVALID_HANDLE)
        plugin_unload(base_plugin);
    base_plugin = PLUGIN_INVALID_HANDLE;
    return SLURM_SUCCESS;
}

/* Calls that decide or change something. */

/* Whose decision it is that this job starts now. */
static enum vmall_starter who_starts(const job_record_t *job) {
    if (!beside_our_scheduler)
        return VMALL_SLURM_STARTS;
    vmall_lock_qos_names(); /* nobody who asks has associations locked */
    const struct vmall_applicant applicant = vmall_applicant_of(job);
    const enum vmall_starter starter = vmall_select_hooks.who_starts(&applicant);
    vmall_unlock_qos_names();
    return starter;
}

/* sched/backfill would plan it for now, be refused the start, and keep its nodes from all behind it
 * for as long as its time limit, in each of its passes. */
static bool never_starts(const job_record_t *job) {
    return beside_our_scheduler && vmall_select_hooks.has_no_machine(job->job_id) &&
           who_starts(job) == VMALL_NOBODY_STARTS;
}

static void leave_out_closed_nodes(bitstr_t *nodes) {
    uint32_t count = 0;
    const uint32_t *closed = vmall_select_hooks.closed_nodes(&count);
    for (uint32_t i = 0; i < count; i++)
        if (closed[i] < bit_size(nodes))
            bit_clear(nodes, closed[i]);
}

static void leave_out_strangers(const job_record_t *job, enum vmall_company company,
                                list_t *preemptees, bitstr_t *nodes) {
    bitstr_t *left_out = vmall_nodes_of_strangers(job, company, preemptees);
    bit_and_not(nodes, left_out);
    bit_free(left_out);
}

/* Whether cores for it were found on some of the nodes; if so these are left of them. */
static bool start_on_few(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
                         uint32_t req_nodes, uint16_t mode, JOB_TEST_EXCLUDED) {
    bitstr_t *few = vmall_few_candidates(job, nodes, MAX(min_nodes, req_nodes));
    const bool found = few && base.job_test(job, few, min_nodes, max_nodes, req_nodes, mode, NULL,
                                            NULL, JOB_TEST_EXCLUDED_VALUES) == SLURM_SUCCESS;
    if (found)
        bit_copybits(nodes, few);
    FREE_NULL_BITMAP(few);
    return found;
}

static bool any_core_limits(void) {
    uint32_t count = 0;
    vmall_select_hooks.core_limits(&count);
    return count;
}

static int start_within_limits(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
                               uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
                               JOB_TEST_EXCLUDED) {
    uint32_t count = 0;
    const struct vmall_core_limit *limits = vmall_select_hooks.core_limits(&count);
    excluded = vmall_exclude_beyond(excluded, limits, count);
    const int rc = base.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode, NULL, NULL,
                                 JOB_TEST_EXCLUDED_VALUES);
    vmall_free_excluded(excluded);
    return rc;
}

static int test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
                uint32_t req_nodes, uint16_t mode, list_t *preemptees, list_t **preempted,
                JOB_TEST_EXCLUDED) {
    if (SELECT_IS_MODE_RUN_NOW(mode)) {
        const enum vmall_starter starter = who_starts(job);
        if (starter == VMALL_NOBODY_STARTS ||
            (beside_our_scheduler && vmall_select_hooks.closes_all_nodes()))
            return ESLURM_NODES_BUSY;
        if (beside_our_scheduler)
            leave_out_closed_nodes(nodes);
        if (!preemptees) {
            vmall_leave_out_full_nodes(job, nodes);
            if (starter == VMALL_WE_START && any_core_limits())
                return start_within_limits(job, nodes, min_nodes, max_nodes, req_nodes, mode,
                                           JOB_TEST_EXCLUDED_VALUES);
            if (starter == VMALL_WE_START &&
                start_on_few(job, nodes, min_nodes, max_nodes, req_nodes, mode,
                             JOB_TEST_EXCLUDED_VALUES))
                return SLURM_SUCCESS;
        }
    }
    if (SELECT_IS_MODE_WILL_RUN(mode) && never_starts(job))
        return ESLURM_NODES_BUSY;
    return base.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees, preempted,
                         JOB_TEST_EXCLUDED_VALUES);
}

/* Of one that lends cores of its whole nodes: it is put beside its company, if need be in place of
 * others that it may preempt. */
static int test_lender(job_record_t *job, enum vmall_company company, bitstr_t *nodes,
                       uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
                       list_t *preemptees, list_t **preempted, JOB_TEST_EXCLUDED) {
    bitstr_t *others = preemptees ? bit_copy(nodes) : NULL;
    leave_out_strangers(job, company, NULL, nodes);
    int rc = test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees, preempted,
                  JOB_TEST_EXCLUDED_VALUES);
    if (rc != SLURM_SUCCESS && preemptees) {
        bit_copybits(nodes, others);
        leave_out_strangers(job, company, preemptees, nodes);
        rc = test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees, preempted,
                  JOB_TEST_EXCLUDED_VALUES);
        if (rc == SLURM_SUCCESS && preempted)
            vmall_preempt_strangers(job, company, preemptees, nodes, preempted);
    }
    FREE_NULL_BITMAP(others);
    return rc;
}

EXPORT int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
                             uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
                             list_t *preemptees, list_t **preempted, JOB_TEST_EXCLUDED) {
    enum vmall_company company;
    const int rc = vmall_select_hooks.lends_whole_nodes(&company)
                       ? test_lender(job, company, nodes, min_nodes, max_nodes, req_nodes, mode,
                                     preemptees, preempted, JOB_TEST_EXCLUDED_VALUES)
                       : test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees,
                              preempted, JOB_TEST_EXCLUDED_VALUES);
    /* Submission tests whether a job can ever run: that is how a new job announces itself. */
    if (SELECT_IS_MODE_TEST_ONLY(mode))
        changed();
    return rc;
}

/* Not when it is submitted: it may be granted in one of its partitions and not in another, and the
 * site may change its mind on GRES. */
static void tell_refusal(const job_record_t *job) {
    if (!beside_our_scheduler)
        return;
    vmall_lock_qos_names();
    const struct vmall_applicant applicant = vmall_applicant_of(job);
    char *refusal = vmall_select_hooks.refusal(&applicant);
    vmall_unlock_qos_names();
    if (refusal)
        info("%s: %pJ %s", plugin_type, job, refusal);
    free(refusal);
}

EXPORT int select_p_job_begin(job_record_t *job) {
    /* A requeued job starts afresh: what a resize of its last run left would spoil its billing. */
    job->resize_time = 0;
    job->billable_tres = (double)NO_VAL;
    job->bit_flags &= ~JOB_RESIZED;
    if (who_starts(job) != VMALL_WE_START) { /* nor what we told of it then */
        vmall_clear_part_mark(job);
        vmall_clear_task_layout(job->details);
        vmall_clear_full_cpus(job->details);
    }
    const int rc = base.job_begin(job);
    if (rc == SLURM_SUCCESS)
        tell_refusal(job);
    changed();
    return rc;
}

#if !SINCE(25, 5)
EXPORT int select_p_step_start(step_record_t *step) {
    if (in_controller) {
        vmall_lay_out_step(step);
        vmall_give_step_memory(step);
    }
    return base.step_start(step);
}
#endif

EXPORT int select_p_job_fini(job_record_t *job) {
    const int rc = base.job_fini(job);
    /* If it is cancelled while it waits, slurmdbd would take the record of its last run for that
     * of this one. */
    if (IS_JOB_REQUEUED(job) || IS_JOB_PENDING(job))
        job->resize_time = 0;
    changed();
    return rc;
}

EXPORT int select_p_job_suspend(job_record_t *job, bool indefinitely) {
    const int rc = base.job_suspend(job, indefinitely);
    changed();
    return rc;
}

EXPORT int select_p_job_resume(job_record_t *job, bool indefinitely) {
    const int rc = base.job_resume(job, indefinitely);
    changed();
    return rc;
}

EXPORT int select_p_job_resized(job_record_t *job, node_record_t *node) {
    const int rc = base.job_resized(job, node);
    changed();
    return rc;
}

EXPORT int select_p_node_init(void) {
    const int rc = base.node_init();
    if (in_controller)
        vmall_select_hooks.reconfigured();
    return rc;
}

EXPORT int select_p_reconfigure(void) {
    const int rc = base.reconfigure();
    if (in_controller)
        vmall_select_hooks.configured();
    return rc;
}

/* Not Slurm's: our scheduler plugin looks it up (select_question.h). */
EXPORT const void *select_p_vmall_answer(void) {
    return vmall_select_answer;
}

/* Compiles only while what is decided here has the type of Slurm's own door to it. */
#define SAME_TYPE(type, name, ...)                                                                 \
    _Static_assert(                                                                                \
        __builtin_types_compatible_p(__typeof__(select_g_##name), __typeof__(select_p_##name)),    \
        #name);
#define UNCHECKED(...)
SELECT_CALLS(SAME_TYPE, UNCHECKED)
