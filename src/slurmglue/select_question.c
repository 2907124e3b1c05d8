/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps the handles of its plugins to itself: goes by the files that it has loaded.
 */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include "slurmglue/internal/releases.h"

#include "slurmglue/select_question.h"

#include "src/common/read_config.h"
#include "src/common/xstring.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

static const char file_name[] = "/select_vmall.so";

/* Ends with the first such file; `handle` is what dlopen() gives for it. */
static int open_ours(struct dl_phdr_info *file, size_t size, void *handle) {
    const size_t length = strlen(file->dlpi_name), wanted = strlen(file_name);
    (void)size;
    if (length < wanted || strcmp(file->dlpi_name + length - wanted, file_name))
        return 0;
    *(void **)handle = dlopen(file->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return 1;
}

const void *vmall_select_ask(void) {
    void *handle = NULL;
    /* Slurm may have loaded select plugins that it does not use. */
    if (!xstrcmp(slurm_conf.select_type, "select/vmall"))
        dl_iterate_phdr(open_ours, &handle);
    if (!handle)
        return NULL;
    const void *(*answer)(void) = NULL;
    *(void **)&answer = dlsym(handle, "select_p_vmall_answer");
    dlclose(handle); /* it stays loaded by Slurm */
    return answer ? answer() : NULL;
}
