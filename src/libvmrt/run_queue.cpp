// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tokens, claims and futexes.
#include "libvmrt/run_queue.hpp"

#include "control/group_scheduling.hpp"
#include "libvmrt/pause.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/waiting.hpp"
#include "libvmrt/wakeup.hpp"

#include <initializer_list>
#include <sched.h>
#include <sys/utsname.h>

namespace vmall::runtime {
namespace {

constexpr std::uint32_t nobody = 0; // as a token
constexpr int tries_to_claim = 4;   // each fails because another CPU was faster
constexpr std::uint64_t burial_period_ns = 2'000'000'000;
// More time between two polls than polling ever takes was used to compute.
constexpr std::uint64_t polling_ns = 10'000;
// After so many rounds in vain (some milliseconds) what we wait for is far away: stop burning the
// CPU.
constexpr std::uint32_t rounds_before_rest = 500;
constexpr std::uint64_t rest_ns = 50'000;
// From claiming a rank to passing it the token, unless whoever does so is stopped.
constexpr std::uint64_t longest_claim_ns = 1'000'000;
// After which the others have a look at who has it: a read of /proc.
constexpr std::uint64_t long_turn_ns = 50'000'000;

} // namespace

void RunQueue::attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner) {
    page_ = page;
    slot_ = slot;
    owner_ = owner;
    utsname kernel;
    pauses_ = uname(&kernel) == 0 &&
              control::group_scheduling(kernel.release) != control::GroupScheduling::right;
}

void RunQueue::join(const Share &share) {
    rules_ = share.rules;
    if (rules_.sharing == VMALL_SHARING_PERIODIC_BOOST)
        rules_.next_rank = VMALL_NEXT_MESSAGES;
    share_ = &share;
    mover_.use(page_, share);
    peers_.begin();
    for (std::uint32_t i = 0; i < share.place.peer_count; ++i)
        peers_.append(share.place.peers[i], slot_);
    everybody_.begin();
    for (const bool after_us : {true, false})
        for (std::uint32_t i = 0; i < share.member_count; ++i)
            if (const std::uint32_t slot = share.members[i].slot;
                slot != slot_ && (slot > slot_) == after_us)
                everybody_.append(slot, slot_);
    home_ = share.home();
    store_relaxed(self().stays, std::uint32_t{stays_});
    store(self().cpu_plus_1, home_ + 1);
    if (joined_)
        return;
    cpu_ = home_;
    store(self().state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    turn_start_ = monotonic_ns();
    joined_ = true;
}

void RunQueue::leave() {
    if (!joined_)
        return;
    joined_ = false;
    if (load(self().owner) != owner_)
        return; // the slot is another rank's by now, and so are its turns
    store(self().cpu_plus_1, 0u);
    if (has_turn())
        hand_back();
}

void RunQueue::use_by_several_threads() {
    stays_ = true;
    store_relaxed(self().stays, 1u);
}

void RunQueue::give_way(bool yielding) {
    const std::uint64_t now = monotonic_ns();
    anywhere_ = is_global(now);
    bool ours = has_turn();
    if (ours && !may_have_turn_here()) {
        hand_back();
        ours = false;
    }
    if (ours)
        claim_ = 0;
    if (ours || take_free_turn(now))
        mover_.arrive(cpu_, anywhere_);
    if (!ours && has_turn())
        return;
    note_poll_in_vain(now);
    if (has_heard_of_more())
        return;
    if (ours && (keeps_turn(rules_, now - turn_start_, now - wait_start_) || holds_on(now)))
        return;
    if (ours && next_ready(cpu_) == no_slot) {
        if (now - last_look_ > patience_ns)
            look_for_the_absent(now);
        else if (yielding)
            sched_yield();
        return;
    }
    end_turn(now);
    if (ours) {
        look_after_others(now);
        rest(yielding);
    }
    // Before the token goes: whoever passes it back must see that we have to be woken.
    store(self().state, std::uint32_t{VMALL_RUNTIME_WAITING});
    if (!ours || give_turn() == Given::away)
        sleep_until_turn(now);
    if (has_turn())
        mover_.arrive(cpu_, anywhere_);
    store(self().state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    add(self().waits, 1);
    turn_start_ = monotonic_ns();
    add(self().waiting_ns, turn_start_ - now);
}

bool RunQueue::is_global(std::uint64_t now) {
    if (rules_.run_queues != VMALL_QUEUES_DETECTED)
        return rules_.run_queues == VMALL_QUEUES_GLOBAL;
    return detector_.sample(*page_, share_->members, share_->member_count, slot_, now) ==
           VMALL_QUEUES_GLOBAL;
}

const RunQueue::Order &RunQueue::order() const {
    return anywhere_ || cpu_ != home_ ? everybody_ : peers_;
}

bool RunQueue::has_turn() {
    const std::uint32_t on = load(self().turn_on_plus_1);
    if (on == 0 || on > VMALL_RUNTIME_CPUS || load(queue(on - 1).token) != slot_ + 1)
        return false;
    cpu_ = on - 1;
    return true;
}

bool RunQueue::may_have_turn_here() const {
    return roams() ? mover_.is_place(cpu_) : cpu_ == home_;
}

// What came during the last poll may have been missed by it: then the rank shall poll once more.
// Else the others will see by `heard` whether anything comes later.
bool RunQueue::has_heard_of_more() {
    const std::uint32_t before = heard_;
    heard_ = heard_of(self());
    store_relaxed(self().heard, before);
    return heard_ != before;
}

// Who has heard nothing since it polled would poll in vain again.
bool RunQueue::holds_on(std::uint64_t now) const {
    const std::uint64_t start = turn_start_ > wait_start_ ? turn_start_ : wait_start_;
    return now - start < hold_ns && !has_news(*page_, line(cpu_));
}

// Somebody has claimed us and is about to pass the token; or died over that, or took the turn from
// us, and left this behind.
void RunQueue::drop_stale_claim(std::uint64_t now) {
    const std::uint32_t on = load(self().turn_on_plus_1);
    if (on != claim_) {
        claim_ = on;
        claimed_since_ = now;
    } else if (on != 0 && now - claimed_since_ > longest_claim_ns) {
        replace(self().turn_on_plus_1, on, 0u);
    }
}

bool RunQueue::take_free_turn(std::uint64_t now) {
    drop_stale_claim(now);
    const std::uint32_t places = roams() ? mover_.place_count() : 1;
    for (std::uint32_t i = 0; i < places; ++i) {
        const std::uint32_t cpu = mover_.place(i);
        const std::uint32_t token = load(queue(cpu).token);
        if (is_free(cpu, token) && take(cpu, token))
            return true;
    }
    return false;
}

bool RunQueue::take(std::uint32_t cpu, std::uint32_t token) {
    if (!replace(self().turn_on_plus_1, 0u, cpu + 1))
        return false; // we are being handed another one
    if (!replace(queue(cpu).token, token, slot_ + 1)) {
        replace(self().turn_on_plus_1, cpu + 1, 0u);
        return false;
    }
    cpu_ = cpu;
    return true;
}

bool RunQueue::is_free(std::uint32_t cpu, std::uint32_t token) const {
    if (token == nobody || token > VMALL_RUNTIME_SLOTS)
        return true;
    const vmall_runtime_slot &holder = page_->slots[token - 1];
    const std::uint32_t cpu_plus_1 = load(holder.cpu_plus_1);
    return load(holder.owner) == 0 || load(holder.turn_on_plus_1) != cpu + 1 ||
           (anywhere_ ? cpu_plus_1 == 0 : cpu_plus_1 != cpu + 1);
}

Line RunQueue::line(std::uint32_t cpu) const {
    const Order &others = order();
    return {others.ranks, others.count, others.own_place, cpu, anywhere_};
}

std::uint32_t RunQueue::next_ready(std::uint32_t cpu) {
    return choose_next(rules_.next_rank, *page_, line(cpu), slot_, load_relaxed(queue(cpu).turns));
}

// To a rank that we have claimed for that CPU.
bool RunQueue::pass_token(std::uint32_t cpu, std::uint32_t token, std::uint32_t next) {
    mover_.send(next, cpu);
    if (replace(queue(cpu).token, token, next + 1))
        return true;
    replace(page_->slots[next].turn_on_plus_1, cpu + 1, 0u);
    return false;
}

RunQueue::Given RunQueue::give_turn() {
    for (int i = 0; i < tries_to_claim; ++i) {
        const std::uint32_t next = next_ready(cpu_);
        if (next == no_slot)
            break;
        if (!replace(page_->slots[next].turn_on_plus_1, 0u, cpu_ + 1))
            continue;
        const bool given = pass_token(cpu_, slot_ + 1, next);
        // Only now: nobody shall see the token name a rank that does not know of it.
        replace(self().turn_on_plus_1, cpu_ + 1, 0u);
        if (!given)
            return Given::lost_before;
        store_relaxed(queue(cpu_).turns, load_relaxed(queue(cpu_).turns) + 1);
        add(self().switches, 1);
        wake_if_waiting(next);
        return Given::away;
    }
    return Given::to_nobody;
}

// Those who wait sleep as long as they get turns elsewhere, and would never see that a place has
// become free, or that its turn does not end: whoever holds a turn looks for them.
void RunQueue::look_after_others(std::uint64_t now) {
    if (!anywhere_ || mover_.place_count() == 1)
        return;
    fill_if_free(mover_.place(looked_after_++));
    watch(now);
}

void RunQueue::fill_if_free(std::uint32_t cpu) {
    const std::uint32_t token = load(queue(cpu).token);
    const std::uint32_t next = is_free(cpu, token) ? next_ready(cpu) : no_slot;
    if (next != no_slot && replace(page_->slots[next].turn_on_plus_1, 0u, cpu + 1) &&
        pass_token(cpu, token, next))
        wake_if_waiting(next);
}

// One place until its turn ends, then the next.
void RunQueue::watch(std::uint64_t now) {
    const std::uint32_t cpu = mover_.place(watched_), token = load(queue(cpu).token);
    if (cpu == cpu_ || token != watched_token_ || load_relaxed(queue(cpu).turns) != watched_turn_) {
        const vmall_runtime_queue &next = queue(mover_.place(++watched_));
        watched_token_ = load(next.token);
        watched_turn_ = load_relaxed(next.turns);
        watched_since_ = now;
    } else if (now - watched_since_ > long_turn_ns) {
        watched_since_ = now;
        if (!is_free(cpu, token))
            release_from_absent(cpu, token);
    }
}

void RunQueue::hand_back() {
    if (give_turn() != Given::to_nobody)
        return;
    replace(queue(cpu_).token, slot_ + 1, nobody);
    replace(self().turn_on_plus_1, cpu_ + 1, 0u);
}

// One that computes again does not say so before it polls, and until then we would poll against it.
void RunQueue::look_for_the_absent(std::uint64_t now) {
    last_look_ = now;
    const Order &others = order();
    for (std::uint32_t i = 0; i < others.count; ++i) {
        vmall_runtime_slot &rank = page_->slots[others.ranks[i]];
        if (load(rank.state) == VMALL_RUNTIME_ABSENT && load(rank.cpu_plus_1) != 0 &&
            (anywhere_ || load(rank.cpu_plus_1) == cpu_ + 1) &&
            activity_of(load(rank.owner)) == Activity::runnable)
            replace(rank.state, std::uint32_t{VMALL_RUNTIME_ABSENT},
                    std::uint32_t{VMALL_RUNTIME_RUNNING});
    }
}

void RunQueue::wake_if_waiting(std::uint32_t slot) {
    if (load(page_->slots[slot].state) != VMALL_RUNTIME_WAITING)
        return;
    increment(page_->slots[slot].wake);
    futex_wake_one(page_->slots[slot].wake);
}

void RunQueue::note_poll_in_vain(std::uint64_t now) {
    const std::uint64_t length = now - (last_poll_ > turn_start_ ? last_poll_ : turn_start_);
    const bool useful = received_ || length > polling_ns;
    const std::uint64_t useful_ns = useful ? without_other_jobs(length) : 0;
    add(self().useful_ns, useful_ns);
    add(self().waiting_ns, length - useful_ns);
    if (useful) {
        useful_ = true;
        wait_start_ = now;
    }
    received_ = false;
    last_poll_ = now;
}

// What other processes took of a CPU would look to the detector as if the rank had more to do. What
// the rank polled in vain before counts as if it was part of the stretch, which is little.
std::uint64_t RunQueue::without_other_jobs(std::uint64_t length) {
    if (rules_.run_queues != VMALL_QUEUES_DETECTED)
        return length;
    const std::uint64_t had = cpu_time_ns();
    const std::uint64_t since = had - had_;
    had_ = had;
    return since < length ? since : length;
}

void RunQueue::end_turn(std::uint64_t now) {
    std::uint32_t &empty_turns = queue(cpu_).empty_turns;
    store_relaxed(empty_turns, useful_ ? 0 : load_relaxed(empty_turns) + 1);
    useful_ = false;
    if (now - last_burial_ > burial_period_ns) {
        last_burial_ = now;
        free_slots_of_the_dead(*page_);
    }
}

void RunQueue::rest(bool yielding) {
    const std::uint64_t pause = pauses_ ? left_of_pause(wall_clock_ns()) : 0;
    const std::uint32_t rounds = load_relaxed(queue(cpu_).empty_turns) / (order().count + 1);
    if (pause > 0)
        futex_sleep(self().wake, load(self().wake), pause);
    else if (rounds >= rounds_before_rest)
        futex_sleep(self().wake, load(self().wake), rest_ns);
    else if (yielding && rounds > 0)
        sched_yield();
}

void RunQueue::sleep_until_turn(std::uint64_t start) {
    const std::uint32_t cpu = roams() ? mover_.place(judged_++) : home_;
    const std::uint32_t token_before = load(queue(cpu).token);
    const std::uint64_t patience = wakeup.limit(patience_ns);
    for (std::uint64_t waited = 0; waited < patience; waited = monotonic_ns() - start) {
        const std::uint32_t wakes = load(self().wake);
        if (has_turn() || load(self().cpu_plus_1) != home_ + 1)
            return;
        if (!wakeup.arm(self().wake))
            return;
        const bool in_time = futex_sleep(self().wake, wakes, patience - waited);
        if (wakeup.disarm())
            return;
        if (!in_time)
            break;
    }
    if (load(queue(cpu).token) == token_before)
        judge(cpu, token_before);
}

void RunQueue::judge(std::uint32_t cpu, std::uint32_t token) {
    if (is_free(cpu, token) || release_from_absent(cpu, token))
        take(cpu, token);
}

// False if whoever has the turn there may compute.
bool RunQueue::release_from_absent(std::uint32_t cpu, std::uint32_t token) {
    vmall_runtime_slot &holder = page_->slots[token - 1];
    const Owner owner = load(holder.owner);
    const std::uint32_t state = load(holder.state);
    const Activity activity = activity_of(owner);
    if (activity == Activity::runnable)
        return false;
    if (activity == Activity::gone)
        free_slot(*page_, token - 1, owner);
    else // until it says otherwise itself
        replace(holder.state, state, std::uint32_t{VMALL_RUNTIME_ABSENT});
    replace(holder.turn_on_plus_1, cpu + 1, 0u);
    return true;
}

} // namespace vmall::runtime
