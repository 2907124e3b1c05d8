// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads, places, binds, publishes; then sleeps on the two words that say when to do it again.
#include "libvmrt/follower.hpp"

#include "libvmrt/debug.hpp"
#include "libvmrt/shared_word.hpp"

#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

constexpr std::uint64_t look_period_ns = 1'000'000'000;
constexpr std::uint64_t first_share_ns = 100'000'000; // at most
constexpr int tries_to_lock = 1000;                   // a millisecond apart

class Lock {
  public:
    explicit Lock(pthread_mutex_t &mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    ~Lock() { pthread_mutex_unlock(&mutex_); }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

  private:
    pthread_mutex_t &mutex_;
};

} // namespace

bool Follower::start(vmall_runtime_page *page, const ControlView *control, Owner owner,
                     LocalRank local, std::uint32_t slot, Polls &polls) {
    page_ = page;
    control_ = control;
    owner_ = owner;
    local_ = local;
    polls_ = &polls;
    share_.slot = slot;
    sequence_ = 1; // odd, unlike that of any reading: nothing is followed yet
    thread_ = {"vmrt", run, this};
    if (!runtime::start(thread_))
        return false;
    // What the rank starts next shall start inside the allotment.
    futex_sleep(edition_, 0, first_share_ns);
    return true;
}

void Follower::stop() {
    const bool locked = lock_for_the_end();
    store(stopped_, true);
    if (locked && bound_) {
        const cpu_set_t usable = set_of(share_.cpus, share_.room.cpu_count);
        bind_this_thread(usable);
        bind_other_threads(usable, Narrower::widens);
    }
    if (locked)
        pthread_mutex_unlock(&lock_);
    free_slot(*page_, share_.slot, owner_);
}

// Programs call exit() in signal handlers, and then whoever holds the lock may be waiting for us.
bool Follower::lock_for_the_end() {
    constexpr timespec pause{0, 1'000'000};
    for (int i = 0; i < tries_to_lock; ++i) {
        if (pthread_mutex_trylock(&lock_) == 0)
            return true;
        nanosleep(&pause, nullptr);
    }
    return false;
}

bool Follower::take(Share &share, std::uint32_t &edition) {
    if (pthread_mutex_trylock(&lock_) != 0)
        return false;
    share = share_;
    edition = edition_;
    pthread_mutex_unlock(&lock_);
    return true;
}

void Follower::run(void *self) {
    static_cast<Follower *>(self)->share_.follower = static_cast<pid_t>(syscall(SYS_gettid));
    static_cast<Follower *>(self)->follow_until_stopped();
}

void Follower::follow_until_stopped() {
    for (;;) {
        const std::uint32_t sequence = load(control_->sequence());
        const std::uint32_t membership = load(page_->membership);
        std::uint64_t period_ns = 0;
        {
            const Lock lock(lock_);
            if (load(stopped_) || !follow(membership))
                return;
            period_ns = choose();
        }
        polls_->call();
        futex_sleep_on_two(control_->sequence(), sequence, page_->membership, membership,
                           period_ns);
    }
}

bool Follower::follow(std::uint32_t membership) {
    if (!keep_slot())
        return false;
    if (read_allotment())
        go_where_allotted();
    else if (look_where_we_may_run() || membership != membership_)
        move();
    else
        bind(); // threads that were born meanwhile, or went elsewhere
    membership_ = membership;
    return true;
}

// Somebody may have taken our slot for a dead process's, or written over it.
bool Follower::keep_slot() {
    if (load(page_->slots[share_.slot].owner) == owner_)
        return true;
    const std::uint32_t slot = claim_slot(*page_, owner_, local_);
    if (slot == no_slot) {
        debug("the runtime page is full, staying out");
        share_.folded = false;
        publish();
        return false;
    }
    share_.slot = slot;
    return true;
}

// True if there is another one than before, valid or not.
bool Follower::read_allotment() {
    if (load(control_->sequence()) == sequence_)
        return false;
    const Reading reading = control_->read(allotment_, sequence_);
    if (reading == Reading::torn)
        return false;
    way_ = way_of(allotment_.rules.coscheduling);
    allotment_valid_ = reading == Reading::done && way_ != nullptr;
    if (!allotment_valid_)
        debug("the control block makes no sense, waiting for the next");
    return true;
}

// The rank goes first, as if the kernel let us use all that is allotted: it does, nearly always,
// and the follower itself may have to queue for a CPU there.
void Follower::go_where_allotted() {
    if (!allotment_valid_) {
        move();
        return;
    }
    const cpu_set_t allotted = set_of(allotment_.cpus, allotment_.cpu_count);
    allowed_ = allotted;
    move();
    // Only the agent's word widens what somebody narrowed.
    bind_this_thread(allotted);
    if (look_where_we_may_run())
        move();
}

// True if it is elsewhere than before.
bool Follower::look_where_we_may_run() {
    if (!allotment_valid_)
        return false;
    const cpu_set_t now = own_affinity();
    const bool moved = CPU_EQUAL(&now, &allowed_) == 0;
    allowed_ = now;
    return moved;
}

void Follower::move() {
    find_share();
    bind();
    publish();
}

void Follower::find_share() {
    share_.folded = false;
    if (!allotment_valid_)
        return;
    share_.overclaimed = allotment_.overclaimed;
    share_.rules = allotment_.rules;
    share_.way = way_;
    std::uint32_t usable = 0;
    for (std::uint32_t i = 0; i < allotment_.cpu_count; ++i)
        if (CPU_ISSET(allotment_.cpus[i], &allowed_))
            share_.cpus[usable++] = allotment_.cpus[i];
    share_.reachable = usable > 0;
    if (!share_.reachable) {
        // Turns still keep the ranks from polling against each other, wherever they are.
        debug("no CPU of the allotment can be used");
        for (; usable < allotment_.cpu_count; ++usable)
            share_.cpus[usable] = allotment_.cpus[usable];
    }
    share_.room = {usable, allotment_.cpus_per_rank};
    share_.member_count = list_members(*page_, share_.members);
    share_.folded =
        place(share_.members, share_.member_count, share_.slot, share_.room, share_.place) &&
        share_.place.folded;
}

// To the place or the allotment while folded, else back to all usable CPUs. Where we never held on
// to some of them, and where the program has bound a thread more tightly itself, that stays.
void Follower::bind() {
    if (!share_.reachable)
        return;
    const bool placed = share_.placed() && !share_.is_kernels(*page_);
    const cpu_set_t target = placed ? share_.own_cpus() : share_.all_cpus();
    const bool ours = share_.folded || bound_;
    const bool elsewhere = CPU_EQUAL(&target, &target_) == 0;
    if (!bind_other_threads(target, ours && elsewhere ? Narrower::widens : Narrower::stays))
        debug("could not bind the threads");
    target_ = target;
    bound_ = share_.folded;
}

// The rank with the lowest slot does, for all. Returns how long to sleep.
std::uint64_t Follower::choose() {
    const bool shall_choose = share_.takes_turns() && share_.members[0].slot == share_.slot &&
                              share_.rules.run_queues == VMALL_QUEUES_DETECTED;
    if (!shall_choose) {
        choice_.restart();
        next_choice_ = 0;
        return look_period_ns;
    }
    const std::uint64_t now = monotonic_ns();
    if (now >= next_choice_) {
        next_choice_ = choice_.look(now, progress());
        store_relaxed(page_->run_queues,
                      std::uint32_t{choice_.yields() ? VMALL_QUEUES_KERNEL : VMALL_QUEUES_LOCAL});
    }
    return next_choice_ - now < look_period_ns ? next_choice_ - now : look_period_ns;
}

// Of all ranks: each message and each call of MPI is a step, whichever engine sees them.
std::uint64_t Follower::progress() const {
    std::uint64_t steps = load_relaxed(page_->calls);
    for (std::uint32_t i = 0; i < share_.member_count; ++i)
        steps += load_relaxed(page_->slots[share_.members[i].slot].sent);
    return steps;
}

// The others of the CPU must know at once, and we may be asleep among those of another.
void Follower::publish() {
    vmall_runtime_slot &slot = page_->slots[share_.slot];
    const std::uint32_t home =
        share_.takes_turns() && !share_.is_kernels(*page_) ? share_.home() + 1u : 0u;
    if (load(slot.owner) == owner_ && load(slot.cpu_plus_1) != home)
        store(slot.cpu_plus_1, home);
    increment(edition_);
    futex_wake_one(edition_);
    increment(slot.wake);
    futex_wake_one(slot.wake);
}

} // namespace vmall::runtime
