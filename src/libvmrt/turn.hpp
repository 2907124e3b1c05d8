// SPDX-License-Identifier: GPL-2.0-or-later
//
// The token protocol: who has the turn of a place, and how it goes from rank to rank.
//
// The token of a place's first CPU names the rank whose turn it is there. A rank is handed one turn
// at a time: who hands over first claims the receiver by its turn_on_plus_1, then passes the token.
// Who holds a turn is named by the token of the CPU that its turn_on_plus_1 names; a token or a
// turn_on_plus_1 alone is nothing.
#pragma once

#include "libvmrt/membership.hpp"
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

    vmall_runtime_page &page() { return *page_; }
    vmall_runtime_slot &self() { return page_->slots[slot_]; }
    vmall_runtime_queue &queue(std::uint32_t cpu) { return page_->queues[cpu]; }
    std::uint32_t home() const { return home_; } // CPU of its own place
    std::uint32_t cpu() const { return cpu_; }   // where it has or last had the turn
    const Order &others() const;                 // whom the turn may go to, if they are ready

    bool is_held();
    bool is_at_home() const { return cpu_ == home_; }

    // That of its own place, with that token. False if another one was faster.
    bool take(std::uint32_t token);
    bool take_free();
    bool is_free(std::uint32_t token) const;

    bool others_have_news() const; // as of has_news()
    std::uint32_t next_ready();

    Given give();
    void hand_back(); // to nobody, if nobody is ready

  private:
    Line line() const;
    bool pass_token(std::uint32_t next);
    void wake_if_waiting(std::uint32_t slot);

    vmall_runtime_page *page_ = nullptr;
    std::uint32_t slot_ = 0;
    vmall_next_rank rule_ = VMALL_NEXT_ROUND_ROBIN;
    std::uint32_t home_ = 0;
    std::uint32_t cpu_ = 0;
    Order peers_, everybody_; // those of its own place, and all
};

} // namespace vmall::runtime
