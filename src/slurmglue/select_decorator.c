/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All of the select plugin interface, forwarded to select/cons_tres: GRES, memory, reservations and
 * topology stay Slurm's business.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/candidates.h"
#include "slurmglue/layout.h"
#include "slurmglue/select_decorator.h"
#include "slurmglue/select_question.h"

#include "src/common/log.h"
#include "src/common/plugin.h"
#include "src/common/run_in_daemon.h"
#include "src/common/select.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static plugin_context_t *base_context;
static slurm_select_ops_t base;
static bool in_controller;
static bool beside_our_scheduler;

/* Slurm wants a number of its own from every select plugin, from 100 up; 109 is cons_tres. */
EXPORT const uint32_t plugin_id = 156;

/* What Slurm looks up in every select plugin, in the order of slurm_select_ops_t. Its own table is
 * not in libslurm. */
static const char *symbols[] = {"plugin_id",
                                "select_p_state_save",
                                "select_p_state_restore",
                                "select_p_job_init",
                                "select_p_node_init",
                                "select_p_job_test",
                                "select_p_job_begin",
                                "select_p_job_ready",
                                "select_p_job_expand",
                                "select_p_job_resized",
                                "select_p_job_signal",
                                "select_p_job_fini",
                                "select_p_job_suspend",
                                "select_p_job_resume",
                                "select_p_step_pick_nodes",
                                "select_p_step_start",
                                "select_p_step_finish",
                                "select_p_select_nodeinfo_pack",
                                "select_p_select_nodeinfo_unpack",
                                "select_p_select_nodeinfo_alloc",
                                "select_p_select_nodeinfo_free",
                                "select_p_select_nodeinfo_set_all",
                                "select_p_select_nodeinfo_set",
                                "select_p_select_nodeinfo_get",
                                "select_p_select_jobinfo_alloc",
                                "select_p_select_jobinfo_free",
                                "select_p_select_jobinfo_set",
                                "select_p_select_jobinfo_get",
                                "select_p_select_jobinfo_copy",
                                "select_p_select_jobinfo_pack",
                                "select_p_select_jobinfo_unpack",
                                "select_p_select_jobinfo_sprint",
                                "select_p_select_jobinfo_xstrdup",
                                "select_p_get_info_from_plugin",
                                "select_p_update_node_config",
                                "select_p_reconfigure",
                                "select_p_resv_test"};
_Static_assert(sizeof(symbols) == sizeof(slurm_select_ops_t), "one name for each call");

/* SchedulerType, or a word of SlurmctldPlugstack, which may have its type before it. */
static bool slurm_conf_names_our_scheduler(void) {
    char *words = xstrdup(slurm_conf.slurmctld_plugstack), *rest = NULL;
    bool named = !xstrcmp(slurm_conf.schedtype, "sched/fjt");
    for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word && !named;
         word = strtok_r(NULL, ",", &rest))
        named = !xstrcmp(word, "fjt") || !xstrcmp(word, "slurmctld/fjt");
    xfree(words);
    return named;
}

static void changed(void) {
    if (in_controller)
        vmall_select_hooks.changed();
}

EXPORT int init(void) {
    in_controller = running_in_slurmctld();
    const char *other_layout = in_controller ? vmall_other_layout() : NULL;
    if (other_layout) {
        error("select/vmall: %s", other_layout);
        return SLURM_ERROR;
    }
    base_context = plugin_context_create("select", "select/cons_tres", (void **)&base, symbols,
                                         sizeof(slurm_select_ops_t));
    if (!base_context) {
        error("select/vmall: cannot load Slurm's own select/cons_tres, which it is wrapped around: "
              "install it again, or put its directory into PluginDir of slurm.conf");
        return SLURM_ERROR;
    }
    if (in_controller)
        vmall_know_candidates((const void *)base.job_test);
    beside_our_scheduler = in_controller && slurm_conf_names_our_scheduler();
    /* Slurm loads all select plugins that are there, whichever slurm.conf names. */
    if (in_controller && !beside_our_scheduler && !xstrcmp(slurm_conf.select_type, "select/vmall"))
        error(
            "select/vmall: slurm.conf: neither SchedulerType=sched/fjt nor SlurmctldPlugstack=fjt: "
            "jobs that ask for virtual malleability are scheduled like the others");
    return SLURM_SUCCESS;
}

EXPORT int fini(void) {
    const int rc = base_context ? plugin_context_destroy(base_context) : SLURM_SUCCESS;
    base_context = NULL;
    return rc;
}

/* Calls that decide or change something. */

/* Whose decision it is that this job starts now. */
static enum vmall_starter who_starts(const job_record_t *job) {
    if (!beside_our_scheduler)
        return VMALL_SLURM_STARTS;
    const struct vmall_applicant applicant = vmall_applicant_of(job);
    return vmall_select_hooks.who_starts(&applicant);
}

/* Whether cores for it were found on some of the nodes; if so these are left of them. */
static bool start_on_few(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
                         uint32_t req_nodes, uint16_t mode, bitstr_t *excluded_cores) {
    bitstr_t *few = vmall_few_candidates(job, nodes, MAX(min_nodes, req_nodes));
    const bool found = few && base.job_test(job, few, min_nodes, max_nodes, req_nodes, mode, NULL,
                                            NULL, excluded_cores) == SLURM_SUCCESS;
    if (found)
        bit_copybits(nodes, few);
    FREE_NULL_BITMAP(few);
    return found;
}

EXPORT int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,
                             uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, List preemptees,
                             List *preempted, bitstr_t *excluded_cores) {
    if (SELECT_IS_MODE_RUN_NOW(mode)) {
        const enum vmall_starter starter = who_starts(job);
        if (starter == VMALL_NOBODY_STARTS)
            return ESLURM_NODES_BUSY;
        if (!preemptees) {
            vmall_leave_out_full_nodes(job, nodes);
            if (starter == VMALL_WE_START &&
                start_on_few(job, nodes, min_nodes, max_nodes, req_nodes, mode, excluded_cores))
                return SLURM_SUCCESS;
        }
    }
    const int rc = base.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptees,
                                 preempted, excluded_cores);
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
    const struct vmall_applicant applicant = vmall_applicant_of(job);
    char *refusal = vmall_select_hooks.refusal(&applicant);
    if (refusal)
        info("select/vmall: %pJ %s", job, refusal);
    free(refusal);
}

EXPORT int select_p_job_begin(job_record_t *job) {
    /* A requeued job starts afresh: what a resize of its last run left would spoil its billing. */
    job->resize_time = 0;
    job->billable_tres = (double)NO_VAL;
    job->bit_flags &= ~JOB_RESIZED;
    const int rc = base.job_begin(job);
    if (rc == SLURM_SUCCESS)
        tell_refusal(job);
    changed();
    return rc;
}

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

EXPORT int select_p_get_info_from_plugin(enum select_plugindata_info question, job_record_t *job,
                                         void *data) {
    if ((int)question == VMALL_SELECT_QUESTION) {
        *(const void **)data = vmall_select_answer;
        return SLURM_SUCCESS;
    }
    return base.get_info_from_plugin(question, job, data);
}

/* Calls that pass through. */

EXPORT int select_p_state_save(char *directory) {
    return base.state_save(directory);
}
EXPORT int select_p_state_restore(char *directory) {
    return base.state_restore(directory);
}
EXPORT int select_p_job_init(List jobs) {
    return base.job_init(jobs);
}
EXPORT int select_p_job_ready(job_record_t *job) {
    return base.job_ready(job);
}
EXPORT int select_p_job_expand(job_record_t *from, job_record_t *to) {
    return base.job_expand(from, to);
}
EXPORT int select_p_job_signal(job_record_t *job, int signal) {
    return base.job_signal(job, signal);
}

EXPORT bitstr_t *select_p_step_pick_nodes(job_record_t *job, select_jobinfo_t *info, uint32_t count,
                                          bitstr_t **available) {
    return base.step_pick_nodes(job, info, count, available);
}
EXPORT int select_p_step_start(step_record_t *step) {
    return base.step_start(step);
}
EXPORT int select_p_step_finish(step_record_t *step, bool killing) {
    return base.step_finish(step, killing);
}

EXPORT int select_p_select_nodeinfo_pack(select_nodeinfo_t *info, buf_t *buffer, uint16_t version) {
    return base.nodeinfo_pack(info, buffer, version);
}
EXPORT int select_p_select_nodeinfo_unpack(select_nodeinfo_t **info, buf_t *buffer,
                                           uint16_t version) {
    return base.nodeinfo_unpack(info, buffer, version);
}
EXPORT select_nodeinfo_t *select_p_select_nodeinfo_alloc(void) {
    return base.nodeinfo_alloc();
}
EXPORT int select_p_select_nodeinfo_free(select_nodeinfo_t *info) {
    return base.nodeinfo_free(info);
}
EXPORT int select_p_select_nodeinfo_set_all(void) {
    return base.nodeinfo_set_all();
}
EXPORT int select_p_select_nodeinfo_set(job_record_t *job) {
    return base.nodeinfo_set(job);
}
EXPORT int select_p_select_nodeinfo_get(select_nodeinfo_t *info, enum select_nodedata_type type,
                                        enum node_states state, void *data) {
    return base.nodeinfo_get(info, type, state, data);
}

EXPORT select_jobinfo_t *select_p_select_jobinfo_alloc(void) {
    return base.jobinfo_alloc();
}
EXPORT int select_p_select_jobinfo_free(select_jobinfo_t *info) {
    return base.jobinfo_free(info);
}
EXPORT int select_p_select_jobinfo_set(select_jobinfo_t *info, enum select_jobdata_type type,
                                       void *data) {
    return base.jobinfo_set(info, type, data);
}
EXPORT int select_p_select_jobinfo_get(select_jobinfo_t *info, enum select_jobdata_type type,
                                       void *data) {
    return base.jobinfo_get(info, type, data);
}
EXPORT select_jobinfo_t *select_p_select_jobinfo_copy(select_jobinfo_t *info) {
    return base.jobinfo_copy(info);
}
EXPORT int select_p_select_jobinfo_pack(select_jobinfo_t *info, buf_t *buffer, uint16_t version) {
    return base.jobinfo_pack(info, buffer, version);
}
EXPORT int select_p_select_jobinfo_unpack(select_jobinfo_t **info, buf_t *buffer,
                                          uint16_t version) {
    return base.jobinfo_unpack(info, buffer, version);
}
EXPORT char *select_p_select_jobinfo_sprint(select_jobinfo_t *info, char *text, size_t size,
                                            int mode) {
    return base.jobinfo_sprint(info, text, size, mode);
}
EXPORT char *select_p_select_jobinfo_xstrdup(select_jobinfo_t *info, int mode) {
    return base.jobinfo_xstrdup(info, mode);
}

EXPORT int select_p_update_node_config(int index) {
    return base.update_node_config(index);
}
EXPORT int select_p_reconfigure(void) {
    return base.reconfigure();
}
EXPORT bitstr_t *select_p_resv_test(resv_desc_msg_t *reservation, uint32_t count,
                                    bitstr_t *available, bitstr_t **cores) {
    return base.resv_test(reservation, count, available, cores);
}

/* Compiles only while every function above has the type Slurm calls it by. */
static const slurm_select_ops_t same_types __attribute__((unused)) = {
    .plugin_id = (uint32_t *)&plugin_id,
    .state_save = select_p_state_save,
    .state_restore = select_p_state_restore,
    .job_init = select_p_job_init,
    .node_init = select_p_node_init,
    .job_test = select_p_job_test,
    .job_begin = select_p_job_begin,
    .job_ready = select_p_job_ready,
    .job_expand = select_p_job_expand,
    .job_resized = select_p_job_resized,
    .job_signal = select_p_job_signal,
    .job_fini = select_p_job_fini,
    .job_suspend = select_p_job_suspend,
    .job_resume = select_p_job_resume,
    .step_pick_nodes = select_p_step_pick_nodes,
    .step_start = select_p_step_start,
    .step_finish = select_p_step_finish,
    .nodeinfo_pack = select_p_select_nodeinfo_pack,
    .nodeinfo_unpack = select_p_select_nodeinfo_unpack,
    .nodeinfo_alloc = select_p_select_nodeinfo_alloc,
    .nodeinfo_free = select_p_select_nodeinfo_free,
    .nodeinfo_set_all = select_p_select_nodeinfo_set_all,
    .nodeinfo_set = select_p_select_nodeinfo_set,
    .nodeinfo_get = select_p_select_nodeinfo_get,
    .jobinfo_alloc = select_p_select_jobinfo_alloc,
    .jobinfo_free = select_p_select_jobinfo_free,
    .jobinfo_set = select_p_select_jobinfo_set,
    .jobinfo_get = select_p_select_jobinfo_get,
    .jobinfo_copy = select_p_select_jobinfo_copy,
    .jobinfo_pack = select_p_select_jobinfo_pack,
    .jobinfo_unpack = select_p_select_jobinfo_unpack,
    .jobinfo_sprint = select_p_select_jobinfo_sprint,
    .jobinfo_xstrdup = select_p_select_jobinfo_xstrdup,
    .get_info_from_plugin = select_p_get_info_from_plugin,
    .update_node_config = select_p_update_node_config,
    .reconfigure = select_p_reconfigure,
    .resv_test = select_p_resv_test,
};
