/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose cores count as free.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/node_state.h"

#include "src/slurmctld/slurmctld.h"

bool vmall_is_usable(const node_record_t *record) {
    const bool serves_jobs_it_has = IS_NODE_DRAIN(record) && !IS_NODE_NO_RESPOND(record) &&
                                    bit_test(up_node_bitmap, record->index);
    return serves_jobs_it_has || bit_test(avail_node_bitmap, record->index);
}
