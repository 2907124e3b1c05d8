/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld's locks, log, paths and nodes behind plain C.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/controller.h"
#include "slurmglue/internal/node_state.h"
#include "slurmglue/internal/own_plugin.h"

#include SLURM_MCS_H
#include "src/common/assoc_mgr.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include <string.h>

static const slurmctld_lock_t reading = {SELECT_LOCK(READ_LOCK).conf = READ_LOCK, .job = READ_LOCK,
                                         .node = READ_LOCK, .part = READ_LOCK, .fed = READ_LOCK};
static const slurmctld_lock_t act = {SELECT_LOCK(WRITE_LOCK).conf = READ_LOCK, .job = WRITE_LOCK,
                                     .node = WRITE_LOCK, .part = WRITE_LOCK, .fed = READ_LOCK};

void vmall_lock_to_read(void) {
    lock_slurmctld(reading);
}
void vmall_unlock_to_read(void) {
    unlock_slurmctld(reading);
}
void vmall_lock_to_act(void) {
    lock_slurmctld(act);
}
void vmall_unlock_to_act(void) {
    unlock_slurmctld(act);
}

void vmall_log_error(const char *message) {
    error("%s: %s", plugin_type, message);
}
void vmall_log_info(const char *message) {
    info("%s: %s", plugin_type, message);
}
void vmall_log_verbose(const char *message) {
    verbose("%s: %s", plugin_type, message);
}

void vmall_log_debug(const char *message) {
    debug("%s: %s", plugin_type, message);
}

bool vmall_may_schedule(void) {
    return !slurmctld_config.scheduling_disabled;
}

void vmall_let_slurm_schedule(void) {
    queue_job_scheduler();
}

bool vmall_is_at_work(void) {
    /* The thread that saves state is the last that slurmctld starts. */
    return slurmctld_config.thread_id_save && !slurmctld_config.shutdown_time;
}

static char *copy_out(char *owned_by_slurm) {
    char *copy = strdup(owned_by_slurm ? owned_by_slurm : "");
    xfree(owned_by_slurm);
    return copy;
}

char *vmall_state_save_location(void) {
    slurm_conf_t *conf = slurm_conf_lock();
    char *copy = strdup(conf->state_save_location);
    slurm_conf_unlock();
    return copy;
}

char *vmall_scheduler_parameters(void) {
    slurm_conf_t *conf = slurm_conf_lock();
    char *copy = strdup(conf->sched_params ? conf->sched_params : "");
    slurm_conf_unlock();
    return copy;
}

char *vmall_config_path(const char *file) {
    return copy_out(get_extra_conf_path((char *)file));
}

bool vmall_is_operator(uid_t user) {
    return validate_operator(user);
}

bool vmall_sees_jobs_of_everybody(uid_t user) {
    slurm_conf_t *conf = slurm_conf_lock();
    const bool private = conf->private_data & PRIVATE_DATA_JOBS;
    slurm_conf_unlock();
    return !private || validate_operator(user);
}

bool vmall_sees_jobs_of(uid_t user, const char *account) {
    /* Where labels decide, which sched/fjt does not know of, everybody sees his own. */
    return slurm_mcs_get_privatedata() == 0 && vmall_is_coordinator(user, (char *)account);
}

char *vmall_munge_socket(void) {
    slurm_conf_t *conf = slurm_conf_lock();
    char *socket = conf->authinfo ? slurm_auth_opts_to_socket(conf->authinfo) : NULL;
    slurm_conf_unlock();
    return copy_out(socket);
}

bool vmall_is_partition(const char *name) {
    return find_part_record((char *)name) != NULL;
}

const char *vmall_error_text(int error) {
    return slurm_strerror(error);
}

static uint32_t usable_cores(const node_record_t *record) {
    /* Set bits are those jobs may use. */
    return record->node_spec_bitmap
               ? bit_set_count_range(record->node_spec_bitmap, 0, record->tot_cores)
               : record->tot_cores;
}

static uint64_t usable_memory(const node_record_t *record) {
    return record->real_memory > record->mem_spec_limit
               ? record->real_memory - record->mem_spec_limit
               : 0;
}

static void visit_record(const node_record_t *record, vmall_visit_node visit, void *context) {
    const struct vmall_node node = {
        .index = record->index,
        .name = record->name,
        .address = record->comm_name,
        .port = record->port,
        .cores = usable_cores(record),
        .cores_per_socket = record->cores,
        .threads_per_core = record->tpc,
        .registered = record->boot_time, /* not part of the saved state */
        .switched_off = IS_NODE_POWERED_DOWN(record) || IS_NODE_POWERING_DOWN(record) ||
                        IS_NODE_POWERING_UP(record),
        .down = IS_NODE_DOWN(record) || IS_NODE_FUTURE(record),
        .usable = vmall_is_usable(record),
        .memory = usable_memory(record),
    };
    visit(context, &node);
}

void vmall_visit_nodes(vmall_visit_node visit, void *context) {
    const node_record_t *record;
    for (int i = 0; (record = next_node(&i)); i++)
        visit_record(record, visit, context);
}

void vmall_visit_node_at(uint32_t index, vmall_visit_node visit, void *context) {
    if (index < (uint32_t)node_record_count && node_record_table_ptr[index])
        visit_record(node_record_table_ptr[index], visit, context);
}
