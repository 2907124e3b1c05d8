// SPDX-License-Identifier: GPL-2.0-or-later
//
// The token protocol: who has the turn of a place, and how it goes from rank to rank.
//
// The token of a place's first CPU names the rank whose turn it is there. A rank is handed one turn
// at a time: who hands over first claims the receiver by its turn_on_plus_1, then passes the token.
// Who holds a turn is named by the token of the CPU that its turn_on_plus_1 names; a token or a
// turn_on_plus_1 alone is nothing.
//
// With local queues every place has its own ranks, with a global one any rank that waits may be
// handed any place. Both can be in use at the same time, for ranks hear of a change one after the
// other.
#pragma once

#include "libvmrt/membership.hpp"
#include "libvmrt/mover.hpp"
#include "libvmrt/next_rank.hpp"
#include "libvmrt/share.hpp"

namespace vmall::runtime {

// The turn of one rank, held or not.
class Turn {
  public:
    // Other ranks in the order of turns, beginning with the one after this.
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

    // The page lives as long as the process; `slot` is the caller's.
    void attach(vmall_runtime_page *page, std::uint32_t slot);

    // From now on the rank belongs to the folded share's place, and whom its turn goes to is chosen
    // by `rule`. `share` stays as it is until the next call.
    void use(const Share &share, vmall_next_rank rule);

    // The rank was in no queue: it has had no turn yet but at its own place.
    void start_at_home() { cpu_ = home_; }

    // From now on the rank takes no turn but of its own place.
    void stay();
    bool stays() const { return stays_; }

    // Whether the queue is global.
    void go_anywhere(bool anywhere) { anywhere_ = anywhere; }
    bool is_anywhere() const { return anywhere_; }
    bool roams() const { return anywhere_ && !stays_; }

    vmall_runtime_page &page() { return *page_; }
    vmall_runtime_slot &self() { return page_->slots[slot_]; }
    vmall_runtime_queue &queue(std::uint32_t cpu) { return page_->queues[cpu]; }
    std::uint32_t home() const { return home_; } // CPU of its own place
    std::uint32_t cpu() const { return cpu_; }   // where it has or last had the turn
    std::uint32_t place_count() const { return mover_.place_count(); }
    std::uint32_t place(std::uint32_t number) const { return mover_.place(number); }
    const Order &others() const; // whom the turn may go to, if they are ready

    bool is_held();
    bool may_be_held_here() const;
    bool is_free(std::uint32_t cpu, std::uint32_t token) const; // with that token

    // False if another one was faster.
    bool take(std::uint32_t cpu, std::uint32_t token);
    bool take_free();

    // The rank got its turn where cpu() is.
    void arrive() { mover_.arrive(cpu_, anywhere_); }

    bool others_have_news() const; // as of has_news()
    std::uint32_t next_ready(std::uint32_t cpu);
    std::uint32_t next_ready() { return next_ready(cpu_); }

    Given give();
    void hand_back(); // to nobody, if nobody is ready
    void give_if_free(std::uint32_t cpu);

  private:
    Line line(std::uint32_t cpu) const;
    bool pass_token(std::uint32_t cpu, std::uint32_t token, std::uint32_t next);
    void wake_if_waiting(std::uint32_t slot);

    vmall_runtime_page *page_ = nullptr;
    std::uint32_t slot_ = 0;
    Mover mover_;
    vmall_next_rank rule_ = VMALL_NEXT_ROUND_ROBIN;
    bool anywhere_ = false;
    bool stays_ = false;
    std::uint32_t home_ = 0;
    std::uint32_t cpu_ = 0;
    Order peers_, everybody_; // those of its own place, and all
};

} // namespace vmall::runtime
