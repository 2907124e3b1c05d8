// SPDX-License-Identifier: GPL-2.0-or-later
//
// Collective calls without a nonblocking twin: the ranks meet first, so that those who are early
// need not poll for the late. In the call itself they poll.
#include "libvmrt/engines/generic.hpp"

using namespace vmall::runtime;

#define VMALL_MEETING(count, name, communicator)                                                   \
    VMALL_MPI_CALL(count, name) {                                                                  \
        if (generic_is_in_charge())                                                                \
            meet(communicator);                                                                    \
        return VMALL_LIBRARYS(name)(VMALL_NAMES_##count);                                          \
    }

VMALL_MEETING(3, Comm_create, a)
VMALL_MEETING(3, Comm_dup_with_info, a)
VMALL_MEETING(4, Comm_split, a)
VMALL_MEETING(5, Comm_split_type, a)
VMALL_MEETING(3, Intercomm_merge, a)
VMALL_MEETING(6, Cart_create, a)
VMALL_MEETING(3, Cart_sub, a)
VMALL_MEETING(6, Graph_create, a)
VMALL_MEETING(9, Dist_graph_create, a)
VMALL_MEETING(10, Dist_graph_create_adjacent, a)
VMALL_MEETING(6, Win_create, e)
VMALL_MEETING(6, Win_allocate, d)
VMALL_MEETING(6, Win_allocate_shared, d)
VMALL_MEETING(3, Win_create_dynamic, b)
VMALL_MEETING(5, File_open, a)
