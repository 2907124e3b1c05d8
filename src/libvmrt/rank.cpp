// SPDX-License-Identifier: GPL-2.0-or-later
//
// Attaches to the agent's two files and follows the allotment.
#include "libvmrt/rank.hpp"

#include "libvmrt/affinity.hpp"
#include "libvmrt/mapped_file.hpp"
#include "libvmrt/shared_word.hpp"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

constexpr char runtime_debug_env[] = "VMALL_DEBUG";

// At most one line per process.
void debug(const char *what) {
    static bool said = false;
    if (said || std::getenv(runtime_debug_env) == nullptr)
        return;
    said = true;
    std::fprintf(stderr, "libvmrt[%d]: %s\n", static_cast<int>(getpid()), what);
}

} // namespace

Rank this_rank;

void Rank::idle() {
    // A second thread in MPI keeps polling: it must not hand over the CPU that the first is waiting
    // for.
    if (phase_ == Phase::detached || __atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE))
        return;
    if (phase_ == Phase::fresh)
        phase_ = attach() ? Phase::attached : Phase::detached;
    if (phase_ == Phase::attached) {
        if (control_.sequence() != sequence_ || load_relaxed(page_->membership) != membership_)
            follow_allotment();
        if (folded_)
            queue_.give_way(allotment_.overclaimed);
        else if (allotment_.overclaimed)
            sched_yield();
    }
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
}

void Rank::leave() {
    if (phase_ == Phase::attached) {
        unfold();
        free_slot(*page_, slot_, owner_);
    }
    phase_ = Phase::detached;
}

bool Rank::attach() {
    const char *control = std::getenv(VMALL_ENV_CONTROL);
    const char *runtime = std::getenv(VMALL_ENV_RUNTIME);
    if (control == nullptr || runtime == nullptr)
        return false;
    page_ = static_cast<vmall_runtime_page *>(
        map_file(runtime, Access::share_ours, VMALL_RUNTIME_MINIMUM_BYTES));
    if (page_ == nullptr || !prepare(*page_)) {
        debug("no usable runtime page, staying out");
        return false;
    }
    if (!control_.open(control)) {
        debug("no trustworthy control block, staying out");
        return false;
    }
    owner_ = this_process();
    if (owner_ == 0 || pthread_atfork(nullptr, nullptr, forget_in_child) != 0)
        return false;
    sequence_ = control_.sequence() + 1; // unlike: nothing is followed yet
    return claim();
}

// Also when somebody took our slot for a dead process's, or wrote over it.
bool Rank::claim() {
    unfold();
    slot_ = claim_slot(*page_, owner_, local_rank());
    if (slot_ == no_slot) {
        debug("the runtime page is full, staying out");
        phase_ = Phase::detached;
        return false;
    }
    queue_.attach(page_, slot_, owner_);
    return true;
}

void Rank::follow_allotment() {
    const std::uint32_t membership = load(page_->membership);
    if (load(page_->slots[slot_].owner) != owner_ && !claim())
        return;
    if (control_.sequence() != sequence_) {
        const Reading reading = control_.read(allotment_, sequence_);
        if (reading == Reading::torn)
            return;
        allotment_valid_ = reading == Reading::done;
        if (!allotment_valid_)
            debug("the control block makes no sense, waiting for the next");
    }
    membership_ = membership;
    Member members[VMALL_RUNTIME_SLOTS];
    Place place_of_rank;
    const std::uint32_t count = list_members(*page_, members);
    if (allotment_valid_ && place(members, count, slot_, allotment_.cpu_count, place_of_rank) &&
        place_of_rank.folded)
        fold(place_of_rank);
    else
        unfold();
}

void Rank::fold(const Place &place) {
    const std::uint16_t cpu = allotment_.cpus[place.cpu];
    // Where the kernel refuses, the turns still keep the ranks from polling against each other.
    if (!bind_threads(&cpu, 1))
        debug("could not bind to the CPU");
    queue_.join(cpu, place.peers, place.peer_count);
    folded_ = true;
}

// Lets go of the one CPU; where we never held on to one, placement stays Slurm's and the kernel's.
void Rank::unfold() {
    if (!folded_)
        return;
    queue_.leave();
    if (!bind_threads(allotment_.cpus, allotment_.cpu_count))
        debug("could not bind to the allotment");
    folded_ = false;
}

void Rank::forget_in_child() {
    this_rank.phase_ = Phase::detached;
}

} // namespace vmall::runtime
