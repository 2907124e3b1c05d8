// SPDX-License-Identifier: GPL-2.0-or-later
//
// Attaches to what the agent made for the job and takes turns as the follower says.
#include "libvmrt/rank.hpp"

#include "libvmrt/debug.hpp"
#include "libvmrt/idle_threads.hpp"
#include "libvmrt/mapped_file.hpp"
#include "libvmrt/messages.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/wakeup.hpp"

#include <cstdlib>
#include <pthread.h>
#include <sched.h>

namespace vmall::runtime {

Rank this_rank;

void Rank::idle(vmall_runtime_engine engine) {
    // A second thread in MPI keeps polling: it must not hand over the CPU that the first is waiting
    // for.
    if (load_relaxed(phase_) == Phase::detached ||
        __atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE))
        return;
    if (phase_ == Phase::fresh)
        enter(attach(engine) ? Phase::attached : Phase::detached);
    if (phase_ == Phase::attached) {
        polls_.answer();
        if (load_relaxed(follower_.edition()) != edition_)
            take_share();
        note_thread();
        if (takes_turns_) {
            give_way();
        } else {
            messages.publish(page_->slots[share_.slot]);
            polls_.in_vain(page_->slots[share_.slot], yields_);
            if (yields_)
                sched_yield();
        }
    }
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
}

void Rank::received_aside() {
    if (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE))
        return;
    if (phase_ == Phase::attached && !takes_turns_)
        polls_.received(page_->slots[share_.slot], yields_);
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
}

void Rank::note_unknown_library() {
    if (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE))
        return;
    vmall_runtime_page *page = phase_ == Phase::fresh ? find_page() : nullptr;
    if (page != nullptr)
        __atomic_fetch_or(&page->engines, std::uint32_t{VMALL_ENGINE_NONE}, __ATOMIC_RELAXED);
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
}

void Rank::leave() {
    if (phase_ == Phase::attached) {
        queue_.leave();
        if (!takes_turns_)
            polls_.write_up(page_->slots[share_.slot]);
        messages.publish(page_->slots[share_.slot]);
        follower_.stop();
        wakeup.stop();
    }
    store_relaxed(takes_turns_, false);
    enter(Phase::detached);
}

void Rank::enter(Phase phase) {
    store(slot_plus_1_, phase == Phase::attached ? share_.slot + 1 : 0u);
    store_relaxed(phase_, phase);
    if (phase == Phase::detached)
        polls_.step_aside();
}

void Rank::note_thread() {
    const pthread_t thread = pthread_self();
    if (thread == thread_)
        return;
    if (thread_ != 0)
        queue_.use_by_several_threads();
    thread_ = thread;
}

// Messages that nobody counted say nothing afterwards.
void Rank::give_way() {
    tell_calls();
    queue_.give_way(yields_);
    vmall_runtime_slot &self = page_->slots[share_.slot];
    const bool is_kernels = queue_.is_kernels();
    if (is_kernels)
        messages.publish(self);
    else if (is_kernels_)
        messages.begin(self);
    store_relaxed(is_kernels_, is_kernels);
}

// Some at a time: ranks of all CPUs write the same word.
void Rank::tell_calls() {
    constexpr std::uint64_t enough = 4;
    const std::uint64_t calls = load_relaxed(calls_);
    if (calls - told_calls_ < enough)
        return;
    __atomic_fetch_add(&page_->calls, calls - told_calls_, __ATOMIC_RELAXED);
    told_calls_ = calls;
}

vmall_runtime_page *Rank::find_page() {
    const char *control = std::getenv(VMALL_ENV_CONTROL);
    if (control == nullptr)
        return nullptr;
    if (!control_.open(control)) {
        debug("no trustworthy control block, staying out");
        return nullptr;
    }
    auto *page = static_cast<vmall_runtime_page *>(
        attach_segment(control_.runtime_key(), VMALL_RUNTIME_BYTES));
    // To such a rank those who live would be dead.
    if (page != nullptr && load(page->pid_namespace) != pid_namespace()) {
        debug("in a PID namespace of its own, staying out");
        return nullptr;
    }
    if (page == nullptr || !prepare(*page)) {
        debug("no usable runtime page, staying out");
        return nullptr;
    }
    return page;
}

bool Rank::attach(vmall_runtime_engine engine) {
    page_ = find_page();
    if (page_ == nullptr)
        return false;
    owner_ = this_process();
    if (owner_ == 0 || pthread_atfork(nullptr, nullptr, forget_in_child) != 0)
        return false;
    const LocalRank local = local_rank();
    const std::uint32_t slot = claim_slot(*page_, owner_, local);
    if (slot == no_slot) {
        debug("the runtime page is full, staying out");
        return false;
    }
    share_.slot = slot;
    queue_.attach(page_, slot, owner_);
    polls_.begin();
    if (!follower_.start(page_, &control_, owner_, local, slot, polls_)) {
        debug("no thread to follow the allotment, staying out");
        free_slot(*page_, slot, owner_);
        return false;
    }
    __atomic_fetch_or(&page_->engines, std::uint32_t{engine}, __ATOMIC_RELAXED);
    return true;
}

void Rank::take_share() {
    const std::uint32_t slot = share_.slot;
    if (!follower_.take(share_, edition_))
        return;
    vmall_runtime_slot &self = page_->slots[share_.slot];
    if (share_.slot != slot) {
        store(slot_plus_1_, share_.slot + 1);
        queue_.leave();
        queue_.attach(page_, share_.slot, owner_);
    }
    if (share_.takes_turns() && !takes_turns_) {
        polls_.write_up(self);
        messages.begin(self);
    } else if (takes_turns_ && !share_.takes_turns()) {
        polls_.begin();
    }
    store_relaxed(takes_turns_, share_.takes_turns());
    store_relaxed(is_kernels_, takes_turns_ && is_kernels_);
    yields_ = share_.yields();
    look_after_idle_threads();
    if (takes_turns_)
        queue_.join(share_);
    else
        queue_.leave();
}

// Of ranks that want several CPUs: those of others are the user's to count.
void Rank::look_after_idle_threads() {
    if (told_of_threads_ || !share_.folded || share_.room.cpus_per_rank == 1)
        return;
    told_of_threads_ = true;
    tell_of_idle_threads();
}

void Rank::forget_in_child() {
    this_rank.enter(Phase::detached);
}

} // namespace vmall::runtime
