// SPDX-License-Identifier: GPL-2.0-or-later
//
// From one poll in vain to the next turn.
#include "libvmrt/run_queue.hpp"

#include "common/group_scheduling.hpp"
#include "libvmrt/pause.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/wakeup.hpp"

#include <sched.h>
#include <sys/utsname.h>

namespace vmall::runtime {
namespace {

// After so many rounds in vain (some milliseconds) what we wait for is far away: stop burning the
// CPU.
constexpr std::uint32_t rounds_before_rest = 500;
constexpr std::uint64_t rest_ns = 50'000;
// So it is for one that yields after so long.
constexpr std::uint64_t long_wait_ns = 20'000'000;

// So long a rank polls on while no other one has got a message: about what the turns of the others
// would take, in vain. Not all that a rank waits for is counted as a message (the end of its own
// sends, what others put into its memory), so the turns go round then.
constexpr std::uint64_t hold_ns = 10'000;

} // namespace

void RunQueue::attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner) {
    turn_.attach(page, slot);
    owner_ = owner;
    utsname kernel;
    pauses_ = uname(&kernel) == 0 &&
              common::group_scheduling(kernel.release) != common::GroupScheduling::right;
}

void RunQueue::join(const Share &share) {
    rules_ = share.rules;
    share_ = &share;
    turn_.use(share, rules_.next_rank);
    if (joined_) {
        bind(); // the follower may have thought that turns are still, or not yet, the kernel's
        return;
    }
    turn_.start_at_home();
    store(turn_.self().state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    turn_start_ = monotonic_ns();
    joined_ = true;
}

void RunQueue::leave() {
    if (!joined_)
        return;
    joined_ = is_kernels_ = false;
    if (load(turn_.self().owner) != owner_)
        return; // the slot is another rank's by now, and so are its turns
    store(turn_.self().cpu_plus_1, 0u);
    if (turn_.is_held())
        turn_.hand_back();
}

void RunQueue::give_way(bool yielding) {
    const std::uint64_t now = monotonic_ns();
    if (share_->is_kernels(turn_.page()))
        return yield(now);
    if (is_kernels_)
        take_from_kernel();
    bool ours = turn_.is_held();
    if (ours && !turn_.is_at_home()) {
        turn_.hand_back();
        ours = false;
    }
    if (ours)
        healing_.forget_claim();
    if (!ours && (take_free_turn(now) || turn_.is_held()))
        return;
    time_.polled_in_vain(turn_.self(), now, turn_start_, Measured::by_the_clock);
    if (has_heard_of_more())
        return;
    if (ours && (keeps_turn(now) || holds_on(now)))
        return;
    if (ours && turn_.next_ready() == no_slot) {
        if (!healing_.look_for_the_absent(turn_, now) && yielding)
            sched_yield();
        return;
    }
    end_turn(now);
    if (ours)
        rest(yielding);
    vmall_runtime_slot &self = turn_.self();
    // Before the token goes: whoever passes it back must see that we have to be woken.
    store(self.state, std::uint32_t{VMALL_RUNTIME_WAITING});
    if (!ours || turn_.give() == Turn::Given::away)
        sleep_until_turn(now);
    store(self.state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    turn_start_ = monotonic_ns();
    add(self.waiting_ns, turn_start_ - now);
    add(self.asleep_ns, turn_start_ - now);
}

// The kernel moves nobody as long as nobody sleeps: neighbours, whose work is often alike, part.
void RunQueue::leave_to_kernel() {
    is_kernels_ = true;
    if (share_->reachable)
        bind_this_thread(share_->cpus_of(share_->slot % share_->places()));
    bind();
}

void RunQueue::take_from_kernel() {
    is_kernels_ = false;
    store(turn_.self().cpu_plus_1, turn_.home() + 1);
    bind();
}

// To the place, or all of the allotment; the follower's word may be old.
void RunQueue::bind() const {
    if (!share_->reachable || rules_.run_queues == VMALL_QUEUES_LOCAL)
        return;
    const cpu_set_t cpus = is_kernels_ ? share_->all_cpus() : share_->own_cpus();
    bind_this_thread(cpus);
    if (has_several_threads_ || share_->room.cpus_per_rank > 1)
        bind_other_threads(cpus, Narrower::widens, share_->follower);
}

// Who has not heard of it yet may hand us a turn.
void RunQueue::yield(std::uint64_t now) {
    vmall_runtime_slot &self = turn_.self();
    if (!is_kernels_)
        leave_to_kernel();
    if (load_relaxed(self.cpu_plus_1) != 0)
        store(self.cpu_plus_1, 0u);
    if (turn_.is_held())
        turn_.hand_back();
    time_.polled_in_vain(self, now, turn_start_, Measured::by_cpu_time);
    healing_.bury_the_dead(turn_, now);
    if (now - time_.wait_start() < long_wait_ns) {
        sched_yield();
        turn_start_ = monotonic_ns();
    } else {
        futex_sleep(self.wake, load(self.wake), rest_ns);
        turn_start_ = monotonic_ns();
        add(self.asleep_ns, turn_start_ - now);
    }
    add(self.waiting_ns, turn_start_ - now);
}

bool RunQueue::take_free_turn(std::uint64_t now) {
    healing_.drop_stale_claim(turn_, now);
    return turn_.take_free();
}

// What came during the last poll may have been missed by it: then the rank shall poll once more.
// Else the others will see by `heard` whether anything comes later.
bool RunQueue::has_heard_of_more() {
    const std::uint32_t before = heard_;
    heard_ = heard_of(turn_.self());
    store_relaxed(turn_.self().heard, before);
    return heard_ != before;
}

bool RunQueue::keeps_turn(std::uint64_t now) const {
    const auto keeps = share_->way->keeps_turn;
    return keeps != nullptr && keeps(now - turn_start_, now - time_.wait_start());
}

// Who has heard nothing since it polled would poll in vain again.
bool RunQueue::holds_on(std::uint64_t now) const {
    const std::uint64_t wait_start = time_.wait_start();
    const std::uint64_t start = turn_start_ > wait_start ? turn_start_ : wait_start;
    return now - start < hold_ns && !turn_.others_have_news();
}

void RunQueue::end_turn(std::uint64_t now) {
    std::uint32_t &empty_turns = turn_.queue(turn_.cpu()).empty_turns;
    store_relaxed(empty_turns, time_.take_useful() ? 0 : load_relaxed(empty_turns) + 1);
    healing_.bury_the_dead(turn_, now);
}

void RunQueue::rest(bool yielding) {
    const std::uint64_t pause = pauses_ ? left_of_pause(wall_clock_ns()) : 0;
    const std::uint32_t empty_turns = load_relaxed(turn_.queue(turn_.cpu()).empty_turns);
    const std::uint32_t rounds = empty_turns / (turn_.others().count + 1);
    std::uint32_t &wake = turn_.self().wake;
    if (pause > 0)
        futex_sleep(wake, load(wake), pause);
    else if (rounds >= rounds_before_rest)
        futex_sleep(wake, load(wake), rest_ns);
    else if (yielding && rounds > 0)
        sched_yield();
}

void RunQueue::sleep_until_turn(std::uint64_t start) {
    const std::uint32_t token = load(turn_.queue(turn_.home()).token);
    vmall_runtime_slot &self = turn_.self();
    const std::uint64_t patience = wakeup.limit(patience_ns);
    for (std::uint64_t waited = 0; waited < patience; waited = monotonic_ns() - start) {
        const std::uint32_t wakes = load(self.wake);
        if (turn_.is_held() || load(self.cpu_plus_1) != turn_.home() + 1)
            return;
        if (!wakeup.arm(self.wake))
            return;
        const bool in_time = futex_sleep(self.wake, wakes, patience - waited);
        if (wakeup.disarm())
            return;
        if (!in_time)
            break;
    }
    healing_.judge(turn_, token);
}

} // namespace vmall::runtime
