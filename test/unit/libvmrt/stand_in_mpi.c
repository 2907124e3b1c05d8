/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * As little of an MPI library as `stand_in` needs. What it says that it is, is in the environment;
 * each call is printed. Requests are complete when they are tested for the third time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int PMPI_Get_library_version(char *version, int *length) {
    *length = (int)strlen(strcpy(version, getenv("STAND_IN_VERSION")));
    return 0;
}

int PMPI_Abi_get_version(int *major, int *minor) {
    *major = *minor = getenv("STAND_IN_COMMON_ABI") != NULL ? 1 : -1;
    return 0;
}

static int start(const char *call, void **request) {
    printf("%s ", call);
    *request = (void *)"a request";
    return 0;
}

int PMPI_Send(const void *data, int count, void *type, int to, int tag, void *comm) {
    printf("Send %d %d %d ", count, to, tag);
    return data == NULL || type == NULL || comm == NULL;
}

int PMPI_Isend(const void *data, int count, void *type, int to, int tag, void *comm,
               void **request) {
    printf("%d %d %d ", count, to, tag);
    return data == NULL || type == NULL || comm == NULL || start("Isend", request);
}

int PMPI_Test(void **request, int *flag, void *status) {
    static int tests;
    printf("Test ");
    *flag = ++tests % 3 == 0;
    return status == NULL || strcmp(*request, "a request") != 0;
}

int PMPI_Ibarrier(void *comm, void **request) {
    printf("%p ", comm);
    return start("Ibarrier", request);
}

int PMPI_Finalize(void) {
    puts("Finalize");
    return 0;
}

#define IS_ALSO(name) __attribute__((weak, alias("P" #name)))
int IS_ALSO(MPI_Send) MPI_Send(const void *, int, void *, int, int, void *);
int IS_ALSO(MPI_Finalize) MPI_Finalize(void);
