// SPDX-License-Identifier: GPL-2.0-or-later
//
// The generic engine, for MPI libraries whose progress nobody can see: it stands in front of MPI's
// own calls. A call that waits is started as its nonblocking twin, which is tested again and again;
// between two tests the rank may hand its turn over. All ranks of a program must do the same, for a
// collective call does not meet its nonblocking twin; so whether the engine serves depends on the
// library alone, not on whether this rank is attached.
//
// Programs, other languages' bindings and parts of the libraries themselves call MPI_x or PMPI_x,
// so both are wrapped. A tool that wraps MPI_x keeps its place in front of the library.
#pragma once

#include "libvmrt/engines/words.hpp"
#include "libvmrt/next_symbol.hpp"
#include "libvmrt/rank.hpp"

namespace vmall::runtime {

// Whether this engine, and no other one, sees the polls of this call, which is counted.
bool generic_is_in_charge();

// A tool's definition of MPI_x that is next in the order of the loader. In static storage.
class Tool {
  public:
    constexpr Tool(const char *name, const char *profiled) : name_(name), profiled_(profiled) {}

    bool is_there() {
        if (!__atomic_load_n(&looked_, __ATOMIC_ACQUIRE))
            look();
        return function_ != nullptr;
    }

    template <typename... Words>
    int operator()(Words... words) {
        return reinterpret_cast<int (*)(Words...)>(function_)(words...);
    }

  private:
    void look();

    const char *name_, *profiled_;
    void *function_ = nullptr;
    bool looked_ = false;
};

template <typename Type>
Word word(Type *pointer) {
    return reinterpret_cast<Word>(pointer);
}

// Room for a status that nobody asked for; of all known libraries the longest has 32 bytes.
struct AnyStatus {
    alignas(16) char room[128];
};

// A request of either kind.
using Request = Word;

// The rank has polled in vain. While one of its threads has given the CPU away, the others of them
// that wait do so here, as they would for the lock of a library that polls itself.
void idle();

// A poll takes in one message or one step of a collective call, and says nothing of that unless it
// was the last. So the rank polls a few times before it has polled in vain.
constexpr unsigned polls_in_a_turn = 4;

// `poll` sets the flag that it is given if there is nothing more to wait for.
template <typename Poll>
int wait_by(Poll poll) {
    for (unsigned polls = 1;; ++polls) {
        int done = 0;
        const int error = poll(&done);
        if (error != 0 || done != 0) {
            this_rank.received(VMALL_ENGINE_GENERIC);
            return error;
        }
        if (polls % polls_in_a_turn == 0)
            idle();
    }
}

// One poll of the program's own. Its result is `flag`'s to tell.
inline int note_poll(int error, Word flag) {
    if (error != 0 || *reinterpret_cast<const int *>(flag) != 0)
        this_rank.received(VMALL_ENGINE_GENERIC);
    else
        idle();
    return error;
}

// Waits for what a nonblocking call has started, unless that failed. Status 0: nobody asks.
int complete(int error, Request &request, Word status = 0);

// Waits until all ranks of the communicator are here.
void meet(Word communicator);

} // namespace vmall::runtime

// Defines MPI_x, a function of `count` words; the body of PMPI_x follows.
#define VMALL_MPI_CALL(count, name)                                                                \
    VMALL_INTERPOSED int PMPI_##name(VMALL_WORDS_##count);                                         \
    VMALL_INTERPOSED int MPI_##name(VMALL_WORDS_##count) {                                         \
        static Tool tool{"MPI_" #name, "PMPI_" #name};                                             \
        return tool.is_there() ? tool(VMALL_NAMES_##count) : PMPI_##name(VMALL_NAMES_##count);     \
    }                                                                                              \
    VMALL_INTERPOSED int PMPI_##name(VMALL_WORDS_##count)

// The library's own PMPI_x.
#define VMALL_LIBRARYS(name)                                                                       \
    [](auto... words) {                                                                            \
        static Next<int(decltype(words)...)> next("PMPI_" #name, any_library);                     \
        return next(words...);                                                                     \
    }
