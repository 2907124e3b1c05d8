/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by the reservations that there are, not by what Slurm answers for one length of time.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/job_cores.h"
#include "slurmglue/internal/next_reservation.h"

#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/reservation.h"

struct search {
    const job_record_t *record;
    bitstr_t *nodes;
    const slurmctld_resv_t *reservation; /* that is looked at */
    bool has_cores;                      /* some of the job's are its */
    time_t first;                        /* 0: none yet */
};

static void look_for_cores(const job_resources_t *resources, const struct vmall_node_slice *slice,
                           void *context) {
    struct search *search = context;
    bitstr_t *reserved = search->reservation->core_bitmap;
    const bitoff_t first = cr_get_coremap_offset(slice->node);
    for (uint32_t core = 0; core < slice->cores && !search->has_cores; core++)
        search->has_cores = first + core < bit_size(reserved) && bit_test(reserved, first + core) &&
                            bit_test(resources->core_bitmap, slice->first_core + core);
}

static bool concerns(struct search *search) {
    const slurmctld_resv_t *reservation = search->reservation;
    const job_record_t *record = search->record;
    if (record->resv_ptr == reservation || !reservation->node_bitmap ||
        !bit_overlap_any(reservation->node_bitmap, search->nodes))
        return false;
    if (!reservation->core_bitmap || !record->job_resrcs || !record->job_resrcs->core_bitmap)
        return true;
    search->has_cores = false;
    vmall_visit_slices(record->job_resrcs, look_for_cores, search);
    return search->has_cores;
}

/* list_for_each: the times of a floating one are from now on. */
static int find_first(void *reservation, void *context) {
    struct search *search = context;
    const time_t now = time(NULL);
    search->reservation = reservation;
    const bool floats = search->reservation->flags & RESERVE_FLAG_TIME_FLOAT;
    const time_t start = search->reservation->start_time + (floats ? now : 0);
    const bool is_over = !floats && search->reservation->end_time <= now;
    if (!is_over && (!search->first || start < search->first) && concerns(search))
        search->first = start;
    return 0;
}

time_t vmall_next_reservation(const job_record_t *record, bitstr_t *nodes) {
    struct search search = {.record = record, .nodes = nodes};
    if (resv_list && list_count(resv_list))
        list_for_each(resv_list, find_first, &search);
    return search.first;
}

time_t vmall_own_reservation_end(const job_record_t *record) {
    const slurmctld_resv_t *own = record->resv_ptr;
    return own && !(own->flags & (RESERVE_FLAG_FLEX | RESERVE_FLAG_TIME_FLOAT)) ? own->end_time : 0;
}
