// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts messages in the runtime page: those a rank sent, those on their way to it or arrived,
// those it has taken, those it may go on by, and whose message it waits for. All are hints: a
// message whose receiver is not known to its sender (it is on another node, or has no slot yet) is
// not counted, the count of the taken never passes that of the arrived, and who waits for several
// messages is known to wait for the last one only.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/shared_word.hpp"

#include <cstddef>
#include <cstdint>

namespace vmall::runtime {

// A slot that is looked for again and again, but ever more rarely.
struct Acquaintance {
    std::uint64_t key;
    std::uint64_t address;     // endpoints only
    std::uint32_t slot_plus_1; // 0: not found
    std::uint32_t pause, next_pause;
};

// One per process, in static storage, all zeros at the start. Any thread may call; a call that
// meets another one counts nothing.
class Messages {
  public:
    // Transport addresses are told apart by their first bytes, of which they have at least so many.
    static constexpr std::uint32_t address_bytes = 16;

    // This process can be reached at `address`.
    void listens_at(const void *address);

    // What is sent through `endpoint` goes to the process at `address`.
    void connected(const void *endpoint, const void *address);

    // The rank takes turns from now on. What it counted before, of messages of those who did, says
    // nothing any more.
    void begin(vmall_runtime_slot &self);

    // Into the slot, how many it has sent.
    void publish(vmall_runtime_slot &self) const { store_relaxed(self.sent, load_relaxed(sent_)); }

    // A message leaves; bits 32 to 63 of its tag are the communicator and the sender's rank in it.
    void sends(const void *endpoint, std::uint64_t tag);

    // Something leaves that the receiver's MPI library will handle by itself, whatever the receiver
    // waits for.
    void signals(const void *endpoint);

    // From now on a message is waited for whose tag equals `tag` where `mask` is 1.
    void expects(std::uint64_t tag, std::uint64_t mask);

    // A message with this tag was taken. Where it is long its sender, who may wait for that, is
    // told.
    void took(std::uint64_t tag, std::size_t bytes);

  private:
    struct Turn; // of one call
    void speak(vmall_runtime_slot &self, std::uint32_t as);
    std::uint32_t slot_plus_1_behind(const Turn &turn, const void *endpoint);
    std::uint32_t slot_plus_1_of_speaker(const Turn &turn, std::uint32_t name);
    Acquaintance *endpoint(std::uint64_t key);
    bool make_room();

    static constexpr std::uint32_t voices = VMALL_RUNTIME_SLOTS;

    bool busy_ = false;
    std::uint64_t sent_ = 0; // atomic
    std::uint64_t own_address_ = 0;
    std::uint32_t spoke_as_ = 0, next_voice_ = 0;
    Acquaintance *endpoints_ = nullptr;
    std::uint32_t room_ = 0, endpoint_count_ = 0;
    Acquaintance voices_[voices] = {};
    std::uint32_t sent_to_[VMALL_RUNTIME_SLOTS] = {};
};

extern Messages messages;

} // namespace vmall::runtime
