/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The limits of acct_policy_job_runnable_post_select(), for a job that has a part of what it asks
 * for already. As there, a limit that a QOS sets hides that of the next QOS and of associations.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/account_limits.h"

#include "src/common/assoc_mgr.h"
#include "src/slurmctld/slurmctld.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

/* One trackable resource of the job, after it has grown. */
struct growth {
    int tres;
    uint64_t total, added;
    uint64_t minutes_in_all; /* of total, from the job's start to its time limit */
    uint64_t minutes_added;  /* of added, from now to its time limit */
};

enum kind {
    GROUP,
    GROUP_MINUTES,
    GROUP_RUN_MINUTES,
    JOB,
    JOB_MINUTES,
    NODE,
    ACCOUNT,
    USER,
    KIND_COUNT
};

struct limit {
    uint64_t most, used, asked;
};

static const struct limit no_limit = {.most = INFINITE64};

static bool allow(const struct limit *limits, const bool *hidden) {
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const struct limit *limit = &limits[kind];
        if (hidden[kind] || limit->most == INFINITE64)
            continue;
        if (limit->used > limit->most || limit->asked > limit->most - limit->used)
            return false;
    }
    return true;
}

/* Of minutes that are used up and not given back: only "safe" enforcement reserves them until the
 * job's end, otherwise it is enough that some are left. */
static uint64_t minutes_asked(uint64_t run_minutes, const struct growth *growth) {
    return accounting_enforce & ACCOUNTING_ENFORCE_SAFE ? run_minutes + growth->minutes_added : 1;
}

static bool qos_allows(const job_record_t *record, const slurmdb_qos_rec_t *qos,
                       const struct growth *growth, bool *hidden) {
    if (!qos)
        return true;
    const int i = growth->tres;
    const slurmdb_used_limits_t *account =
        acct_policy_get_acct_used_limits(&qos->usage->acct_limit_list, record->assoc_ptr->acct);
    const slurmdb_used_limits_t *user =
        acct_policy_get_user_used_limits(&qos->usage->user_limit_list, record->user_id);
    const uint64_t run_minutes = qos->usage->grp_used_tres_run_secs[i] / 60;
    const struct limit limits[KIND_COUNT] = {
        [GROUP] = {qos->grp_tres_ctld[i], qos->usage->grp_used_tres[i], growth->added},
        [GROUP_MINUTES] = {qos->grp_tres_mins_ctld[i], qos->usage->usage_tres_raw[i] / 60,
                           minutes_asked(run_minutes, growth)},
        [GROUP_RUN_MINUTES] = {qos->grp_tres_run_mins_ctld[i], run_minutes, growth->minutes_added},
        [JOB] = {qos->max_tres_pj_ctld[i], 0, growth->total},
        [JOB_MINUTES] = {qos->max_tres_mins_pj_ctld[i], 0, growth->minutes_in_all},
        [NODE] = {qos->max_tres_pn_ctld[i], 0, growth->total / record->node_cnt},
        [ACCOUNT] = {qos->max_tres_pa_ctld[i], account->tres[i], growth->added},
        [USER] = {qos->max_tres_pu_ctld[i], user->tres[i], growth->added},
    };
    const bool allowed = allow(limits, hidden);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        hidden[kind] = hidden[kind] || limits[kind].most != INFINITE64;
    return allowed;
}

static uint64_t scaled(uint64_t limit, double factor) {
    return limit == INFINITE64 || factor <= 0 ? limit : (uint64_t)((double)limit * factor);
}

/* The QOS's LimitFactor scales what associations allow. */
static double limit_factor(const slurmdb_qos_rec_t *first, const slurmdb_qos_rec_t *second) {
    if (first && !fuzzy_equal(first->limit_factor, INFINITE))
        return first->limit_factor;
    if (second && !fuzzy_equal(second->limit_factor, INFINITE))
        return second->limit_factor;
    return 1;
}

/* Limits on single jobs have been handed down to the job's own association. */
static bool association_allows(const job_record_t *record, const slurmdb_assoc_rec_t *assoc,
                               const struct growth *growth, double factor, const bool *hidden) {
    const int i = growth->tres;
    const bool own = assoc == record->assoc_ptr;
    const uint64_t run_minutes = assoc->usage->grp_used_tres_run_secs[i] / 60;
    const struct limit limits[KIND_COUNT] = {
        [GROUP] = {scaled(assoc->grp_tres_ctld[i], factor), assoc->usage->grp_used_tres[i],
                   growth->added},
        [GROUP_MINUTES] = {assoc->grp_tres_mins_ctld[i], assoc->usage->usage_tres_raw[i] / 60,
                           minutes_asked(run_minutes, growth)},
        [GROUP_RUN_MINUTES] = {assoc->grp_tres_run_mins_ctld[i], run_minutes,
                               growth->minutes_added},
        [JOB] = {own ? scaled(assoc->max_tres_ctld[i], factor) : INFINITE64, 0, growth->total},
        [JOB_MINUTES] = {own ? assoc->max_tres_mins_ctld[i] : INFINITE64, 0,
                         growth->minutes_in_all},
        [NODE] = {own ? assoc->max_tres_pn_ctld[i] : INFINITE64, 0,
                  growth->total / record->node_cnt},
        [ACCOUNT] = no_limit,
        [USER] = no_limit,
    };
    return allow(limits, hidden);
}

static bool all_allow(const job_record_t *record, const struct growth *growth) {
    slurmdb_qos_rec_t *first, *second;
    bool hidden[KIND_COUNT] = {false};
    if (record->limit_set.tres && record->limit_set.tres[growth->tres] == ADMIN_SET_LIMIT)
        return true;
    acct_policy_set_qos_order((job_record_t *)record, &first, &second);
    if (!qos_allows(record, first, growth, hidden) || !qos_allows(record, second, growth, hidden))
        return false;
    const double factor = limit_factor(first, second);
    for (const slurmdb_assoc_rec_t *assoc = record->assoc_ptr; assoc;
         assoc = assoc->usage->parent_assoc_ptr)
        if (!association_allows(record, assoc, growth, factor, hidden))
            return false;
    return true;
}

static struct growth growth_of(const job_record_t *record, int tres, uint64_t total) {
    const time_t now = time(NULL);
    const uint64_t before = record->tres_alloc_cnt[tres];
    const uint64_t left = record->end_time > now ? (record->end_time - now) / 60 : 0;
    const uint64_t added = total > before ? total - before : 0;
    const double factor =
        record->qos_ptr && record->qos_ptr->usage_factor >= 0 ? record->qos_ptr->usage_factor : 1;
    return (struct growth){
        .tres = tres,
        .total = total,
        .added = added,
        /* Slurm ends a job for this limit as if it had had its present cores from the start. */
        .minutes_in_all = total * record->time_limit,
        .minutes_added = (uint64_t)((double)(added * left) * factor),
    };
}

static uint64_t billing_with(const job_record_t *record, uint64_t cpus) {
    if (!record->part_ptr->billing_weights)
        return cpus;
    uint64_t tres[slurmctld_tres_cnt];
    memcpy(tres, record->tres_alloc_cnt, sizeof(tres));
    tres[TRES_ARRAY_CPU] = cpus;
    return (uint64_t)assoc_mgr_tres_weighted(tres, record->part_ptr->billing_weights,
                                             slurm_conf.priority_flags, true);
}

bool vmall_limits_allow(const struct job_record *record, uint64_t cpus) {
    assoc_mgr_lock_t locks = {.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK};
    if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !record->assoc_ptr ||
        !record->part_ptr || !record->tres_alloc_cnt)
        return true;
    assoc_mgr_lock(&locks);
    const struct growth cpu = growth_of(record, TRES_ARRAY_CPU, cpus);
    const struct growth billing = growth_of(record, TRES_ARRAY_BILLING, billing_with(record, cpus));
    const bool allowed = all_allow(record, &cpu) && all_allow(record, &billing);
    assoc_mgr_unlock(&locks);
    return allowed;
}
