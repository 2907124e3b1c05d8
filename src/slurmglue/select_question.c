/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps the handles of its plugins to itself: goes by the files that it has loaded.
 */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include "slurmglue/internal/releases.h"

#include "slurmglue/select_question.h"

#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

struct search {
    char *end;    /* of the file's path */
    void *handle; /* what dlopen() gives for the file */
};

/* Ends with the first such file. */
static int open_it(struct dl_phdr_info *file, size_t size, void *context) {
    struct search *search = context;
    const size_t length = strlen(file->dlpi_name), wanted = strlen(search->end);
    (void)size;
    if (length < wanted || strcmp(file->dlpi_name + length - wanted, search->end))
        return 0;
    search->handle = dlopen(file->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return 1;
}

/* Slurm makes the name of a plugin's file of its type: "/" becomes "_". */
static void *open_loaded(const char *type) {
    struct search search = {xstrdup_printf("/%s.so", type), NULL};
    char *slash = strrchr(search.end, '/');
    if (slash != search.end)
        *slash = '_';
    dl_iterate_phdr(open_it, &search);
    xfree(search.end);
    return search.handle;
}

const void *vmall_select_ask(void) {
    /* Slurm may have loaded select plugins that it does not use. */
    void *handle = open_loaded(slurm_conf.select_type);
    if (!handle)
        return NULL;
    const void *(*answer)(void) = NULL;
    *(void **)&answer = dlsym(handle, "select_p_vmall_answer");
    dlclose(handle); /* it stays loaded by Slurm */
    return answer ? answer() : NULL;
}
