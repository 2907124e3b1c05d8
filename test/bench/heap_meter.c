/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld, writes each second into the file HEAP_METER how many bytes of its heap
 * are in use, of all arenas: what it holds is more, by what glibc keeps for later.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *measure(void *in_use) {
    for (;; sleep(1)) {
        const struct mallinfo2 heap = mallinfo2();
        __atomic_store_n((uint64_t *)in_use, heap.uordblks + heap.hblkhd, __ATOMIC_RELAXED);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    if (!dlsym(RTLD_DEFAULT, "lock_slurmctld"))
        return; /* another program that slurmctld runs */
    const int file = open(getenv("HEAP_METER"), O_RDWR | O_CLOEXEC);
    void *in_use = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_t thread;
    if (in_use == MAP_FAILED || pthread_create(&thread, NULL, measure, in_use))
        abort();
    close(file);
}
