// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which MPI library the program uses, as far as the generic engine needs to know: who made it, and
// what its communicators are. Handles are numbers of 32 bits (MPICH and what comes of it) or
// pointers (Open MPI, and the common ABI of MPI 5). As arguments both are a register or a slot of
// the stack, so a wrapper passes them on as words without knowing which.
#pragma once

#include <cstdint>

namespace vmall::runtime {

using Word = std::uintptr_t;
static_assert(sizeof(Word) == 8, "64-bit arguments of MPI are passed on as one word");

struct MpiLibrary {
    bool is_known;
    bool has_progress_hook; // another engine sees its polls
    Word comm_world;        // as an argument
};

// Looks at the library that is loaded. Allowed before MPI_Init.
MpiLibrary recognise_mpi_library();

// By the text of MPI_Get_library_version alone, for those whose handles are MPICH's.
MpiLibrary recognise_mpich_family(const char *version);

} // namespace vmall::runtime
