// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fewer CPUs than ranks: who has a turn, and where.
//
// The token of a place's first CPU names the rank whose turn it is there. It keeps the turn while
// it computes; where it would poll in vain it passes the token on and sleeps: at once if another
// rank has got a message, else when it has held on for a moment, or as the rules say. With local
// queues every place has its own ranks, with a global one any rank that waits may be handed any
// place. Both can be in use at the same time, for ranks hear of a change one after the other.
//
// A rank is handed one turn at a time: who hands over first claims the receiver by its
// turn_on_plus_1, then passes the token. Who holds a turn is named by the token of the CPU that its
// turn_on_plus_1 names; a token or a turn_on_plus_1 alone is nothing.
//
// What got stuck heals: no sleep is longer than patience_ns, and after it a holder that died,
// stopped, sleeps outside MPI, or believes to be elsewhere loses the token to the one who noticed.
#pragma once

#include "libvmrt/detector.hpp"
#include "libvmrt/membership.hpp"
#include "libvmrt/mover.hpp"
#include "libvmrt/next_rank.hpp"
#include "libvmrt/share.hpp"

namespace vmall::runtime {

class RunQueue {
  public:
    // Both live as long as the process; `slot` is the caller's, owned by `owner`.
    void attach(vmall_runtime_page *page, std::uint32_t slot, Owner owner);

    // Enters the queue of the folded share's place; from now on turns go by the share's rules.
    // `share` stays as it is until the next call.
    void join(const Share &share);

    // Hands a held turn on.
    void leave();

    void received() { received_ = true; }

    // By turns or at the same time: they would drag each other from place to place. From now on the
    // rank stays at its own.
    void use_by_several_threads();

    // The rank has nothing to do. Returns when it keeps the turn or has one again, nobody else
    // wants it, or patience_ns have passed; in any case the rank shall poll now. With `yielding`, a
    // round of turns in vain lets processes of other jobs run.
    void give_way(bool yielding);

    static constexpr std::uint64_t patience_ns = 5'000'000;

  private:
    // The other ranks, beginning with the one after this.
    struct Order {
        std::uint32_t count = 0, own_place = 0; // of this rank in the order of slots
        std::uint16_t ranks[VMALL_RUNTIME_SLOTS] = {};
        void begin() { count = own_place = 0; }
        void append(std::uint32_t slot, std::uint32_t self) {
            own_place += slot < self;
            ranks[count++] = static_cast<std::uint16_t>(slot);
        }
    };
    enum class Given { away, to_nobody, lost_before };

    vmall_runtime_slot &self() { return page_->slots[slot_]; }
    vmall_runtime_queue &queue(std::uint32_t cpu) { return page_->queues[cpu]; }
    bool is_global(std::uint64_t now);
    bool roams() const { return anywhere_ && !stays_; }
    const Order &order() const;
    bool has_turn();
    bool may_have_turn_here() const;
    bool has_heard_of_more();
    bool holds_on(std::uint64_t now) const;
    Line line(std::uint32_t cpu) const;
    void drop_stale_claim(std::uint64_t now);
    bool take_free_turn(std::uint64_t now);
    bool take(std::uint32_t cpu, std::uint32_t token);
    bool is_free(std::uint32_t cpu, std::uint32_t token) const;
    std::uint32_t next_ready(std::uint32_t cpu);
    bool pass_token(std::uint32_t cpu, std::uint32_t token, std::uint32_t next);
    Given give_turn();
    void look_after_others(std::uint64_t now);
    void fill_if_free(std::uint32_t cpu);
    void watch(std::uint64_t now);
    void hand_back();
    void look_for_the_absent(std::uint64_t now);
    void wake_if_waiting(std::uint32_t slot);
    void note_poll_in_vain(std::uint64_t now);
    std::uint64_t without_other_jobs(std::uint64_t length);
    void end_turn(std::uint64_t now);
    void rest(bool yielding);
    void sleep_until_turn(std::uint64_t start);
    void judge(std::uint32_t cpu, std::uint32_t token);
    bool release_from_absent(std::uint32_t cpu, std::uint32_t token);

    vmall_runtime_page *page_ = nullptr;
    std::uint32_t slot_ = 0;
    Owner owner_ = 0;
    bool pauses_ = false; // for others, on this kernel
    Rules rules_ = {};
    Mover mover_;
    Detector detector_;
    const Share *share_ = nullptr;
    bool joined_ = false;
    bool anywhere_ = false; // the queue is global
    bool stays_ = false;
    std::uint32_t home_ = 0; // CPU of our own place
    std::uint32_t cpu_ = 0;  // where we have or last had the turn
    // Numbers of the places that we look at: next when no turn comes, next when one ends, and until
    // the turn there ends, which began before `watched_since_`.
    std::uint32_t judged_ = 0, looked_after_ = 0, watched_ = 0;
    std::uint32_t watched_token_ = 0, watched_turn_ = 0;
    std::uint64_t watched_since_ = 0;
    std::uint32_t claim_ = 0; // turn_on_plus_1 when we last had no turn
    std::uint64_t claimed_since_ = 0;
    bool received_ = false; // since the last poll in vain
    bool useful_ = false;   // the turn
    std::uint64_t turn_start_ = 0;
    std::uint64_t wait_start_ = 0;
    std::uint64_t last_poll_ = 0; // in vain
    std::uint32_t heard_ = 0;     // before the next poll
    std::uint64_t had_ = 0;       // CPU time, when useful time was last counted
    std::uint64_t last_burial_ = 0;
    std::uint64_t last_look_ = 0;
    Order peers_, everybody_; // those of our own place, and all
};

} // namespace vmall::runtime
