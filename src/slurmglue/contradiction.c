/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What contradicts virtual malleability, of slurm.conf and of partitions as they are now.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/contradiction.h"

#include "src/common/read_config.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include <string.h>

static char *in_preempt_mode(uint16_t mode, const char *where) {
    if (mode == NO_VAL16 || !(mode & (PREEMPT_MODE_GANG | PREEMPT_MODE_SUSPEND)))
        return NULL;
    return xstrdup_printf("slurm.conf: %sPreemptMode=%s: gang scheduling and jobs that are folded "
                          "would both share out the same cores; use OFF, REQUEUE or CANCEL",
                          where, preempt_mode_string(mode));
}

static char *in_partition(const part_record_t *partition) {
    char *where = xstrdup_printf("PartitionName=%s ", partition->name);
    char *found = in_preempt_mode(partition->preempt_mode, where);
    const int jobs_per_core = partition->max_share & ~SHARED_FORCE;
    if (!found && partition->max_share & SHARED_FORCE && jobs_per_core > 1)
        found = xstrdup_printf("slurm.conf: %sOverSubscribe=FORCE:%d: several jobs would share a "
                               "core; use NO, FORCE:1 or EXCLUSIVE",
                               where, jobs_per_core);
    xfree(where);
    return found;
}

static char *find(void) {
    char *found = in_preempt_mode(slurm_conf.preempt_mode, "");
    list_itr_t *iterator = list_iterator_create(part_list);
    const part_record_t *partition;
    while (!found && (partition = list_next(iterator)))
        found = in_partition(partition);
    list_iterator_destroy(iterator);
    return found;
}

char *vmall_contradiction(void) {
    char *found = find();
    char *copy = found ? strdup(found) : NULL;
    xfree(found);
    return copy;
}
