/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmd replaces SLURM_TASKS_PER_NODE in the environment of a batch script, so spank_vm there goes
 * by a name of our own.
 */
#include "slurmglue/internal/task_layout.h"

#include "slurmglue/internal/job_shape.h"

#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include <stdlib.h>

#define NOTE "VMALL_TASKS_PER_NODE" /* config/job_request.hpp */

void vmall_clear_task_layout(job_details_t *details) {
    vmall_unset_environment(details, NOTE);
    vmall_unset_environment(details, "SLURM_TASKS_PER_NODE");
}

char *vmall_text_of_counts(const uint32_t *counts, uint32_t nodes) {
    char *text = NULL;
    for (uint32_t n = 0, next; n < nodes; n = next) {
        for (next = n + 1; next < nodes && counts[next] == counts[n];)
            next++;
        xstrfmtcat(text, "%s%u", n ? "," : "", counts[n]);
        if (next > n + 1)
            xstrfmtcat(text, "(x%u)", next - n);
    }
    return text;
}

void vmall_note_task_layout(job_details_t *details, const uint32_t *tasks, uint32_t nodes) {
    char *text = vmall_text_of_counts(tasks, nodes);
    vmall_set_environment_text(details, NOTE, text);
    vmall_set_environment_text(details, "SLURM_TASKS_PER_NODE", text);
    xfree(text);
}

static const char *noted(const job_details_t *details) {
    for (uint32_t i = 0; i < details->env_cnt; i++)
        if (!xstrncmp(details->env_sup[i], NOTE "=", sizeof(NOTE)))
            return details->env_sup[i] + sizeof(NOTE);
    return NULL;
}

/* So many nodes with so many tasks each; false: there are no more, or the text is wrong. */
static bool next_run(const char **text, uint32_t *tasks, uint32_t *nodes) {
    char *end;
    *tasks = strtoul(*text, &end, 10);
    *nodes = 1;
    if (end == *text || !*tasks)
        return false;
    if (end[0] == '(' && end[1] == 'x')
        *nodes = strtoul(end + 2, &end, 10), end += *end == ')';
    *text = *end == ',' ? end + 1 : end;
    return *nodes > 0;
}

uint32_t vmall_nodes_of_task_layout(const job_details_t *details) {
    const char *text = noted(details);
    uint32_t all = 0, tasks, nodes;
    while (text && next_run(&text, &tasks, &nodes))
        all += nodes;
    return all;
}

bool vmall_read_task_layout(const job_details_t *details, uint32_t *tasks, uint32_t nodes) {
    const char *text = noted(details);
    uint64_t sum = 0;
    uint32_t count = 0, here, run;
    while (text && next_run(&text, &here, &run)) {
        if (run > nodes - count)
            return false;
        sum += (uint64_t)here * run;
        while (run--)
            tasks[count++] = here;
    }
    return text && !*text && count == nodes && sum == details->num_tasks;
}

static bool is_whole_job(const step_record_t *step) {
    const slurm_step_layout_t *layout = step->step_layout;
    const uint32_t distribution = layout ? layout->task_dist & SLURM_DIST_NODEMASK : 0;
    return layout && (step->flags & SSF_WHOLE) && step->job_ptr->details &&
           layout->node_cnt == step->job_ptr->node_cnt &&
           layout->task_cnt == step->job_ptr->details->num_tasks &&
           (distribution == SLURM_DIST_BLOCK || distribution == SLURM_DIST_CYCLIC);
}

static void number_in_blocks(slurm_step_layout_t *layout) {
    uint32_t task = 0;
    for (uint32_t n = 0; n < layout->node_cnt; n++)
        for (uint32_t t = 0; t < layout->tasks[n]; t++)
            layout->tids[n][t] = task++;
}

static void number_in_turn(slurm_step_layout_t *layout) {
    uint32_t task = 0;
    for (uint32_t t = 0; task < layout->task_cnt; t++)
        for (uint32_t n = 0; n < layout->node_cnt; n++)
            if (t < layout->tasks[n])
                layout->tids[n][t] = task++;
}

void vmall_lay_out_step(step_record_t *step) {
    if (!is_whole_job(step))
        return;
    slurm_step_layout_t *layout = step->step_layout;
    uint32_t *tasks = xcalloc(layout->node_cnt, sizeof(*tasks));
    if (vmall_read_task_layout(step->job_ptr->details, tasks, layout->node_cnt)) {
        for (uint32_t n = 0; n < layout->node_cnt; n++) {
            layout->tasks[n] = tasks[n];
            xrecalloc(layout->tids[n], tasks[n], sizeof(uint32_t));
        }
        if ((layout->task_dist & SLURM_DIST_NODEMASK) == SLURM_DIST_BLOCK)
            number_in_blocks(layout);
        else
            number_in_turn(layout);
    }
    xfree(tasks);
}
