// SPDX-License-Identifier: GPL-2.0-or-later
//
// What engines are to each other: rows of a table. An engine is where an MPI library waits,
// whichever call and language that is; its file stands in front of the functions by which it polls,
// and tells this_rank of each poll whether it brought something.
#pragma once

namespace vmall::runtime {

struct Engine {
    // Whether this thread is inside the engine's progress. Null for one that polls no other engine.
    bool (*is_polling)();
};

// Defined in the engine's file each.
extern const Engine ucx, open_mpi, generic;
inline constexpr const Engine *engines[] = {&ucx, &open_mpi, &generic};

// Whether what `engine` polls now is only a part of the poll of another one, which sees itself
// whether it was in vain.
bool is_part_of_a_poll(const Engine &engine);

} // namespace vmall::runtime
