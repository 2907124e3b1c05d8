// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the other engines must know about Open MPI.
#pragma once

namespace vmall::runtime {

// This thread is inside Open MPI's progress, which sees itself whether a poll was in vain; whatever
// its components poll meanwhile is only a part of it.
bool open_mpi_polls();

} // namespace vmall::runtime
