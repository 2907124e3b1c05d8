// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a rank runs that may be handed the CPU of any place: it is moved there with its turn.
//
// Who hands a turn over binds the receiver's first thread, which sleeps: so it wakes up where the
// turn is, and never has to wait for the CPU it ran on last. The receiver looks whether that was
// enough. Where places are wider than a CPU, all its threads follow; else those that are not in MPI
// stay where they are.
#pragma once

#include "libvmrt/membership.hpp"
#include "libvmrt/share.hpp"

namespace vmall::runtime {

// Of the thread in MPI; places are named by their first CPU, always below VMALL_RUNTIME_CPUS.
class Mover {
  public:
    // `share` stays as it is until the next call.
    void use(vmall_runtime_page *page, const Share &share);

    std::uint32_t place_count() const { return place_count_; }
    // Of any number: they are counted round and round, beginning with this rank's own.
    std::uint32_t place(std::uint32_t number) const;
    bool is_place(std::uint32_t cpu) const { return place_of_[cpu] != 0; }

    // Neither of the two does anything where no place is.
    // Before the rank in `slot` is woken for its turn there.
    void send(std::uint32_t slot, std::uint32_t cpu);

    // This rank got its turn there, and may have been moved before if it `roams`.
    void arrive(std::uint32_t cpu, bool roams);

  private:
    bool is_process(std::uint32_t slot, Owner owner);
    bool find(std::uint32_t cpu, cpu_set_t &cpus) const;

    vmall_runtime_page *page_ = nullptr;
    const Share *share_ = nullptr;
    std::uint32_t place_count_ = 0, own_place_ = 0;
    std::uint32_t arrived_at_ = VMALL_RUNTIME_CPUS;
    std::uint16_t place_of_[VMALL_RUNTIME_CPUS] = {}; // index + 1, by first CPU
    Owner known_[VMALL_RUNTIME_SLOTS] = {};           // to be a process
};

} // namespace vmall::runtime
