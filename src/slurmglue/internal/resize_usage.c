/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm charges at the job's "end" is measured, not computed: when the priority plugin last
 * looked is known to it alone.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/resize_usage.h"

#include "src/common/assoc_mgr.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"

#include <string.h>

/* The usage of a QOS or of an association that the job is charged to; arrays are by TRES. */
struct book {
    uint64_t *reserved; /* seconds, until the time limits of what runs */
    long double *used;  /* seconds */
    long double *billed;
    double *wall;
};

struct vmall_usage {
    int count;
    struct book *books;
    int tres_count;
    uint64_t *old_tres;
    /* Of each book: reserved and used of each TRES, billed, wall. */
    long double *before, *between;
};

static const assoc_mgr_lock_t to_read = {.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK};
static const assoc_mgr_lock_t to_write = {
    .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK};

static void lock(const assoc_mgr_lock_t *how) {
    assoc_mgr_lock_t locks = *how;
    assoc_mgr_lock(&locks);
}

static void unlock(const assoc_mgr_lock_t *how) {
    assoc_mgr_lock_t locks = *how;
    assoc_mgr_unlock(&locks);
}

static struct book book_of_qos(slurmdb_qos_usage_t *usage) {
    return (struct book){usage->grp_used_tres_run_secs, usage->usage_tres_raw, &usage->usage_raw,
                         &usage->grp_used_wall};
}

static struct book book_of_association(slurmdb_assoc_usage_t *usage) {
    return (struct book){usage->grp_used_tres_run_secs, usage->usage_tres_raw, &usage->usage_raw,
                         &usage->grp_used_wall};
}

/* All books that the job is charged to; *count of them. */
static struct book *find_books(const job_record_t *record, int *count) {
    slurmdb_qos_rec_t *qos[2];
    int room = 2;
    for (const slurmdb_assoc_rec_t *assoc = record->assoc_ptr; assoc;
         assoc = assoc->usage->parent_assoc_ptr)
        room++;
    struct book *books = xcalloc(room, sizeof(*books));
    *count = 0;
    acct_policy_set_qos_order((job_record_t *)record, &qos[0], &qos[1]);
    for (int i = 0; i < 2; i++)
        if (qos[i])
            books[(*count)++] = book_of_qos(qos[i]->usage);
    for (const slurmdb_assoc_rec_t *assoc = record->assoc_ptr; assoc;
         assoc = assoc->usage->parent_assoc_ptr)
        books[(*count)++] = book_of_association(assoc->usage);
    return books;
}

/* The accounts can be edited while a job is resized; then there is nothing to compare. */
static bool same_books(const job_record_t *record, const struct vmall_usage *usage) {
    int count;
    struct book *books = find_books(record, &count);
    const bool same = usage->tres_count == (int)slurmctld_tres_cnt && count == usage->count &&
                      !memcmp(books, usage->books, count * sizeof(*books));
    xfree(books);
    return same;
}

static long double *page(long double *values, const struct vmall_usage *usage, int book) {
    return values + (size_t)book * (2 * usage->tres_count + 2);
}

static long double *copy_values(const struct vmall_usage *usage) {
    const int n = usage->tres_count;
    long double *values = xcalloc((size_t)usage->count * (2 * n + 2), sizeof(*values));
    for (int b = 0; b < usage->count; b++) {
        const struct book *book = &usage->books[b];
        long double *to = page(values, usage, b);
        for (int i = 0; i < n; i++) {
            to[i] = book->reserved[i];
            to[n + i] = book->used[i];
        }
        to[2 * n] = *book->billed;
        to[2 * n + 1] = *book->wall;
    }
    return values;
}

/* How many times as much of the TRES the job has now. */
static long double ratio(const job_record_t *record, const struct vmall_usage *usage, int tres) {
    const uint64_t before = usage->old_tres[tres], now = record->tres_alloc_cnt[tres];
    return before && before != now ? (long double)now / before : 1;
}

/* Never below zero: Slurm compares usage with limits as unsigned numbers. Only an account that has
 * used less than the job grows by within a PriorityCalcPeriod is charged a little more for it. */
static long double less(long double value, long double by) {
    return value > by ? value - by : 0;
}

static void correct(const job_record_t *record, const struct vmall_usage *usage, int b) {
    const int n = usage->tres_count;
    const struct book *book = &usage->books[b];
    const long double *before = page(usage->before, usage, b);
    const long double *between = page(usage->between, usage, b);
    for (int i = 0; i < n; i++) {
        const long double given_back = less(before[i], between[i]);
        const long double charged = less(between[n + i], before[n + i]);
        book->reserved[i] = between[i] + given_back * ratio(record, usage, i);
        book->used[i] = less(book->used[i], charged * ratio(record, usage, i));
    }
    *book->billed = less(*book->billed, less(between[2 * n], before[2 * n]) *
                                            ratio(record, usage, TRES_ARRAY_BILLING));
    *book->wall = less(*book->wall, less(between[2 * n + 1], before[2 * n + 1]));
}

struct vmall_usage *vmall_usage_before(const struct job_record *record) {
    struct vmall_usage *usage = xcalloc(1, sizeof(*usage));
    lock(&to_read);
    usage->tres_count = slurmctld_tres_cnt;
    usage->books = find_books(record, &usage->count);
    usage->before = copy_values(usage);
    unlock(&to_read);
    return usage;
}

void vmall_usage_between(const struct job_record *record, struct vmall_usage *usage) {
    lock(&to_read);
    if (record->tres_alloc_cnt && same_books(record, usage)) {
        usage->between = copy_values(usage);
        usage->old_tres = xcalloc(usage->tres_count, sizeof(uint64_t));
        memcpy(usage->old_tres, record->tres_alloc_cnt, usage->tres_count * sizeof(uint64_t));
    }
    unlock(&to_read);
}

void vmall_usage_after(const struct job_record *record, struct vmall_usage *usage) {
    lock(&to_write);
    if (usage->between && same_books(record, usage))
        for (int b = 0; b < usage->count; b++)
            correct(record, usage, b);
    unlock(&to_write);
    xfree(usage->between);
    xfree(usage->before);
    xfree(usage->old_tres);
    xfree(usage->books);
    xfree(usage);
}
