// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls that have a nonblocking twin, which takes the same arguments and a request. None of MPI 4
// (MPI_Send_c): programs call these only if the loader finds some (mpi4py's wheels do), and behind
// ours there may be none.
#include "libvmrt/engines/generic.hpp"

using namespace vmall::runtime;

#define VMALL_TWIN(count, name, twin)                                                              \
    VMALL_MPI_CALL(count, name) {                                                                  \
        if (!generic_is_in_charge())                                                               \
            return VMALL_LIBRARYS(name)(VMALL_NAMES_##count);                                      \
        Request request = 0;                                                                       \
        return complete(VMALL_LIBRARYS(twin)(VMALL_NAMES_##count, word(&request)), request);       \
    }

VMALL_TWIN(6, Send, Isend)
VMALL_TWIN(6, Ssend, Issend)
VMALL_TWIN(6, Rsend, Irsend)

VMALL_TWIN(1, Barrier, Ibarrier)
VMALL_TWIN(5, Bcast, Ibcast)
VMALL_TWIN(8, Gather, Igather)
VMALL_TWIN(9, Gatherv, Igatherv)
VMALL_TWIN(8, Scatter, Iscatter)
VMALL_TWIN(9, Scatterv, Iscatterv)
VMALL_TWIN(7, Allgather, Iallgather)
VMALL_TWIN(8, Allgatherv, Iallgatherv)
VMALL_TWIN(7, Alltoall, Ialltoall)
VMALL_TWIN(9, Alltoallv, Ialltoallv)
VMALL_TWIN(9, Alltoallw, Ialltoallw)
VMALL_TWIN(7, Reduce, Ireduce)
VMALL_TWIN(6, Allreduce, Iallreduce)
VMALL_TWIN(6, Reduce_scatter, Ireduce_scatter)
VMALL_TWIN(6, Reduce_scatter_block, Ireduce_scatter_block)
VMALL_TWIN(6, Scan, Iscan)
VMALL_TWIN(6, Exscan, Iexscan)
VMALL_TWIN(7, Neighbor_allgather, Ineighbor_allgather)
VMALL_TWIN(8, Neighbor_allgatherv, Ineighbor_allgatherv)
VMALL_TWIN(7, Neighbor_alltoall, Ineighbor_alltoall)
VMALL_TWIN(9, Neighbor_alltoallv, Ineighbor_alltoallv)
VMALL_TWIN(9, Neighbor_alltoallw, Ineighbor_alltoallw)
VMALL_TWIN(2, Comm_dup, Comm_idup)

VMALL_MPI_CALL(7, Recv) {
    if (!generic_is_in_charge())
        return VMALL_LIBRARYS(Recv)(VMALL_NAMES_7);
    Request request = 0;
    return complete(VMALL_LIBRARYS(Irecv)(VMALL_NAMES_6, word(&request)), request, g);
}

VMALL_MPI_CALL(5, Mrecv) {
    if (!generic_is_in_charge())
        return VMALL_LIBRARYS(Mrecv)(VMALL_NAMES_5);
    Request request = 0;
    return complete(VMALL_LIBRARYS(Imrecv)(VMALL_NAMES_4, word(&request)), request, e);
}
