/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * srun keeps its options in one place, or, for the components of a heterogeneous job, in a list. It
 * shows them to plugins, for which SPANK has no function.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/step_binding.h"

#include "src/common/list.h"
#include "src/common/slurm_opt.h"
#include "src/common/xmalloc.h"

/* Others that load the same plugin have none of them. */
extern slurm_opt_t opt;
extern list_t *opt_list;
#pragma weak opt
#pragma weak opt_list

#define BY_NUMBER                                                                                  \
    (CPU_BIND_RANK | CPU_BIND_MAP | CPU_BIND_MASK | CPU_BIND_LDRANK | CPU_BIND_LDMAP |             \
     CPU_BIND_LDMASK)

static int binds(void *step, void *found) {
    const slurm_opt_t *options = step;
    *(bool *)found |= (options->srun_opt->cpu_bind_type & BY_NUMBER) != 0;
    return 0;
}

static int forget(void *step, void *unused) {
    (void)unused;
    srun_opt_t *options = ((slurm_opt_t *)step)->srun_opt;
    if (options->cpu_bind_type & BY_NUMBER) {
        options->cpu_bind_type &= ~BY_NUMBER;
        xfree(options->cpu_bind);
    }
    return 0;
}

static void for_each_step(ListForF action, void *argument) {
    if (!&opt || !&opt_list || !opt.srun_opt)
        return;
    if (opt_list)
        list_for_each(opt_list, action, argument);
    else
        action(&opt, argument);
}

bool vmall_binds_by_number(void) {
    bool found = false;
    for_each_step(binds, &found);
    return found;
}

void vmall_do_not_bind_by_number(void) {
    for_each_step(forget, NULL);
}
