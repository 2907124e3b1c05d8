// SPDX-License-Identifier: GPL-2.0-or-later
//
// This process as a rank of a virtually malleable job.
#pragma once

#include "libvmrt/control_view.hpp"
#include "libvmrt/run_queue.hpp"

namespace vmall::runtime {

// There is one, in static storage, all zeros at the start: a process that never enters MPI never
// touches it. idle() may be called by several threads, the others not.
class Rank {
  public:
    // The MPI library polled for messages: in vain, or not.
    // idle() looks for news of the allotment first, and attaches when called for the first time.
    void idle();
    void received() {
        if (folded_)
            queue_.received();
    }

    // The process ends or is done with MPI: from now on idle() does nothing.
    void leave();

  private:
    enum class Phase { fresh, attached, detached };

    bool attach();
    bool claim();
    void follow_allotment();
    void fold(const Place &place);
    void unfold();
    static void forget_in_child();

    Phase phase_ = Phase::fresh;
    bool busy_ = false; // a thread is in idle()
    bool folded_ = false;
    ControlView control_;
    vmall_runtime_page *page_ = nullptr;
    Owner owner_ = 0;
    std::uint32_t slot_ = 0;
    bool allotment_valid_ = false;
    std::uint32_t sequence_ = 0;   // of the control block as far as followed
    std::uint32_t membership_ = 0; // of the runtime page as far as followed
    Allotment allotment_ = {};
    RunQueue queue_;
};

extern Rank this_rank;

} // namespace vmall::runtime
