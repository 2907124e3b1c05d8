// SPDX-License-Identifier: GPL-2.0-or-later
//
// The thread that follows the allotment, whatever the rank is doing.
//
// It sleeps until the agent writes the control block or ranks come and go, and looks once a second
// whether somebody else has changed where our threads may run. Then it binds all threads of the
// rank at once and publishes the rank's share of the CPUs; the thread in MPI takes it at its next
// poll. The follower itself may run anywhere in the allotment: so it finds a CPU quickly and sees
// when a cpuset shrinks. It allocates no memory.
#pragma once

#include "libvmrt/affinity.hpp"
#include "libvmrt/choice.hpp"
#include "libvmrt/membership.hpp"
#include "libvmrt/own_thread.hpp"
#include "libvmrt/polls.hpp"
#include "libvmrt/share.hpp"

#include <pthread.h>

namespace vmall::runtime {

// Lives in static storage, all zeros at the start.
class Follower {
  public:
    // `page` and `control` live as long as the process; `slot` is the caller's, owned by `owner`.
    // `polls` is called at each look. False if there can be no thread.
    bool start(vmall_runtime_page *page, const ControlView *control, Owner owner, LocalRank local,
               std::uint32_t slot, Polls &polls);

    // Lets go of the CPUs and of the slot; the thread ends within a second. May be called from a
    // signal handler that interrupted any of these functions.
    void stop();

    // Changes whenever there is a new share.
    const std::uint32_t &edition() const { return edition_; }

    // Copies the share and sets `edition` to its own. False while the follower is writing it: try
    // again at the next poll.
    bool take(Share &share, std::uint32_t &edition);

  private:
    static void run(void *self);
    bool lock_for_the_end();
    void follow_until_stopped();
    bool follow(std::uint32_t membership);
    bool keep_slot();
    bool read_allotment();
    void go_where_allotted();
    bool look_where_we_may_run();
    void move();
    void find_share();
    void bind();
    std::uint64_t choose();
    std::uint64_t progress() const;
    void publish();

    vmall_runtime_page *page_ = nullptr;
    const ControlView *control_ = nullptr;
    Owner owner_ = 0;
    LocalRank local_ = {};
    OwnThread thread_ = {};
    Polls *polls_ = nullptr;
    std::uint32_t edition_ = 0;

    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER; // for all below
    bool stopped_ = false;                             // atomic
    Share share_ = {};
    bool allotment_valid_ = false;
    bool bound_ = false;           // threads are on `target_` because we put them there
    std::uint32_t sequence_ = 0;   // of the control block as far as read
    std::uint32_t membership_ = 0; // of the page as far as followed
    ControlContent allotment_ = {};
    const Way *way_ = nullptr; // of the allotment's rules
    cpu_set_t allowed_ = {};   // the follower's own affinity when it last looked
    cpu_set_t target_ = {};
    Choice choice_;
    std::uint64_t next_choice_ = 0;
};

} // namespace vmall::runtime
