// SPDX-License-Identifier: GPL-2.0-or-later
//
// Open MPI's progress engine: every wait of every MPI call and language calls opal_progress again
// and again. Where that found nothing to do, and yielding is switched on, its last act is
// sched_yield(). So we switch yielding on in MPI_Init and give way where the yield would have been,
// but leave it to the user while the rank lets polls pass.
#include "layout/control_block.h"
#include "libvmrt/engines/engine.hpp"
#include "libvmrt/next_symbol.hpp"
#include "libvmrt/rank.hpp"
#include "libvmrt/shared_word.hpp"

#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

// Of Open MPI 4 and 5; the library with the engine, which it is linked against, has a name of each.
constexpr char mpi[] = "libmpi.so.40";

struct Poll {
    bool under_way;
    bool yielded; // not carried out yet
};
__thread Poll poll = {false, false};

bool open_mpi_shall_yield = false; // so the user says (mpi_yield_when_idle)
bool is_served = false;            // by this engine
bool is_told_to_yield = false;     // for us

Next<int()> next_progress("opal_progress", mpi);
Next<bool(bool)> next_set_yield("opal_progress_set_yield_when_idle", mpi);
Next<int()> next_finalize("opal_finalize", mpi);
// Looked up early: the programs' own sched_yield may be called where dlsym must not be.
int (*next_yield)() = nullptr;

__attribute__((constructor)) void find_sched_yield() {
    next_yield = reinterpret_cast<int (*)()>(find_next("sched_yield", "libc.so.6"));
}

int really_yield() {
    return next_yield != nullptr ? next_yield() : static_cast<int>(syscall(SYS_sched_yield));
}

// Open MPI's daemons and launchers use the same engine, but have no ranks.
bool is_mpi_program() {
    return std::getenv(VMALL_ENV_CONTROL) != nullptr && find_next("ompi_mpi_init", mpi) != nullptr;
}

// Threads that say so at the same time say the same, or the next poll says it again.
void let_yield(bool for_us) {
    if (!load_relaxed(is_served) || load_relaxed(is_told_to_yield) == for_us)
        return;
    store_relaxed(is_told_to_yield, for_us);
    next_set_yield(for_us || open_mpi_shall_yield);
}

bool is_under_way() {
    return poll.under_way;
}

} // namespace

// Its components poll, too, UCX for one.
const Engine open_mpi = {is_under_way};

} // namespace vmall::runtime

using namespace vmall::runtime;

VMALL_INTERPOSED bool opal_progress_set_yield_when_idle(bool yield) {
    open_mpi_shall_yield = yield;
    is_served = is_mpi_program() && !is_part_of_a_poll(open_mpi);
    is_told_to_yield = is_served;
    return next_set_yield(yield || is_served);
}

// Returns how many events there were since Open MPI 5; nothing before, when nobody looked.
VMALL_INTERPOSED int opal_progress() {
    if (this_rank.lets_pass() || is_part_of_a_poll(open_mpi))
        return next_progress();
    let_yield(true);
    const Poll outer = poll; // callbacks may wait themselves
    poll = {true, false};
    const int events = next_progress();
    const bool in_vain = poll.yielded;
    poll = {false, false};
    if (in_vain) {
        this_rank.idle(VMALL_ENGINE_OPEN_MPI);
        if (open_mpi_shall_yield)
            really_yield();
    } else {
        this_rank.received(VMALL_ENGINE_OPEN_MPI);
    }
    poll = outer;
    let_yield(!this_rank.lets_next_pass());
    return events;
}

// Of a yield inside opal_progress we cannot know yet whether it is the last act or that of a
// callback of the user's; another one after it shows that it was not.
VMALL_INTERPOSED int sched_yield() noexcept {
    if (!poll.under_way || poll.yielded)
        return really_yield();
    poll.yielded = true;
    return 0;
}

// In MPI_Finalize, when the rank is done with the others.
VMALL_INTERPOSED int opal_finalize() {
    this_rank.leave();
    return next_finalize();
}
