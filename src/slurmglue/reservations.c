/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Asks Slurm as if the job were to start now and to run for the rest of its time.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/reservations.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"

struct answer {
    bitstr_t *nodes; /* NULL: none is the job's to use */
    resv_exc_t excluded;
};

static struct answer ask(job_record_t *job, uint32_t left) {
    struct answer answer = {0};
    bool overlap;
    time_t now = time(NULL);
    const uint32_t limit = job->time_limit, priority = job->priority;
    if (limit != INFINITE)
        job->time_limit = (left + 59) / 60;
    if (vmall_test_reservations(job, &now, &answer.nodes, &answer.excluded, &overlap) !=
        SLURM_SUCCESS)
        FREE_NULL_BITMAP(answer.nodes);
    job->time_limit = limit;
    job->priority = priority; /* of a job whose reservation has ended, it is taken away */
    return answer;
}

static void visit_node(const struct answer *answer, uint32_t node, vmall_visit_node_cores visit,
                       void *context) {
    const uint32_t count = node_record_table_ptr[node]->tot_cores;
    const bool all = !answer->nodes || !bit_test(answer->nodes, node);
    const uint32_t first = cr_get_coremap_offset(node);
    uint32_t *cores = xcalloc(count, sizeof(uint32_t));
    struct vmall_node_cores withheld = {.node = node, .cores = cores};
    for (uint32_t core = 0; core < count; core++)
        if (all ||
            (answer->excluded.core_bitmap && bit_test(answer->excluded.core_bitmap, first + core)))
            cores[withheld.core_count++] = core;
    if (withheld.core_count)
        visit(context, &withheld);
    xfree(cores);
}

void vmall_visit_withheld(uint32_t job_id, uint32_t left, vmall_visit_node_cores visit,
                          void *context) {
    job_record_t *job = find_job_record(job_id);
    if (!job || !job->job_resrcs || !job->job_resrcs->node_bitmap || !list_count(resv_list))
        return;
    struct answer answer = ask(job, left);
    for (bitoff_t i = 0; i < bit_size(job->job_resrcs->node_bitmap); i++)
        if (bit_test(job->job_resrcs->node_bitmap, i))
            visit_node(&answer, i, visit, context);
    FREE_NULL_BITMAP(answer.nodes);
    reservation_delete_resv_exc_parts(&answer.excluded);
}
