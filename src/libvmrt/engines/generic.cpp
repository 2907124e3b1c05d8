// SPDX-License-Identifier: GPL-2.0-or-later
//
// When the engine serves, and how it waits.
#include "libvmrt/engines/generic.hpp"

#include "libvmrt/debug.hpp"
#include "libvmrt/engines/engine.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>

namespace vmall::runtime {
namespace {

enum class Charge : int { undecided, others, ours };

Charge charge = Charge::undecided;
Word world = 0;
// For tests and measurements: instead of the hooks of the other engines.
bool forced = false;

// They may see polls before the program calls MPI.
__attribute__((constructor)) void take_charge_if_forced() {
    const char *engine = std::getenv("VMALL_ENGINE");
    forced = engine != nullptr && std::strcmp(engine, "generic") == 0;
}

Charge decide() {
    const MpiLibrary library = recognise_mpi_library();
    if (!library.is_known) {
        debug("an MPI library that is not known: its calls are left alone");
        this_rank.note_unknown_library();
        return Charge::others;
    }
    __atomic_store_n(&world, library.comm_world, __ATOMIC_RELAXED);
    return library.has_progress_hook && !forced ? Charge::others : Charge::ours;
}

void *object_of(void *function) {
    Dl_info info;
    return dladdr(function, &info) != 0 ? info.dli_fbase : nullptr;
}

// Its own tests are all there is to see.
bool is_polling() {
    return forced || __atomic_load_n(&charge, __ATOMIC_RELAXED) == Charge::ours;
}

} // namespace

const Engine generic = {is_polling};

bool generic_is_in_charge() {
    this_rank.calls();
    Charge known = __atomic_load_n(&charge, __ATOMIC_ACQUIRE);
    if (__builtin_expect(known == Charge::undecided, false)) {
        known = decide();
        __atomic_store_n(&charge, known, __ATOMIC_RELEASE);
    }
    return known == Charge::ours;
}

void Tool::look() {
    void *wrapper = find_next(name_, any_library);
    void *library = find_next(profiled_, any_library);
    if (wrapper != nullptr && library != nullptr && object_of(wrapper) != object_of(library))
        function_ = wrapper;
    __atomic_store_n(&looked_, true, __ATOMIC_RELEASE);
}

void idle() {
    if (this_rank.lets_pass())
        return;
    static pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&waiting);
    this_rank.idle(VMALL_ENGINE_GENERIC);
    pthread_mutex_unlock(&waiting);
}

int complete(int error, Request &request, Word status) {
    if (error != 0)
        return error;
    AnyStatus unasked;
    const Word where = status != 0 ? status : word(&unasked);
    return wait_by(
        [&](int *done) { return VMALL_LIBRARYS(Test)(word(&request), word(done), where); });
}

void meet(Word communicator) {
    Request request = 0;
    complete(VMALL_LIBRARYS(Ibarrier)(communicator, word(&request)), request);
}

} // namespace vmall::runtime

using namespace vmall::runtime;

// The last that the rank has to do with the others.
VMALL_MPI_CALL(0, Finalize) {
    if (generic_is_in_charge()) {
        meet(__atomic_load_n(&world, __ATOMIC_RELAXED));
        this_rank.leave();
    }
    return VMALL_LIBRARYS(Finalize)();
}
