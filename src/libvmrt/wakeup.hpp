// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages from other nodes for a rank that sleeps while another one computes on its CPU: nobody on
// this node knows of them, so nobody would wake it. Does nothing for a job with one node.
//
// Where the MPI library's engine has a descriptor for its events (UCX), a thread waits on that as
// long as the rank sleeps, and wakes it when a message comes. Elsewhere no sleep is longer than
// nap_ns: messages wait half of that on average, and the rank that computes pays for the polls.
#pragma once

#include "libvmrt/own_thread.hpp"

#include <cstdint>

namespace vmall::runtime {

// Of an MPI library's engine. Both functions return false where they fail.
struct EventSource {
    void *engine;
    bool (*get_descriptor)(void *engine, int &descriptor); // becomes readable, once armed
    bool (*arm)(void *engine);                             // false: there is news, poll first
};

// There is one, in static storage. Used by the thread that sleeps and the one it starts.
class Wakeup {
  public:
    // Whether the job has several nodes, as its control block says; looked up once.
    bool is_needed();

    // Before the first arm(). With a second source there is no knowing which one to wait for, and
    // sleeps are short.
    void use(const EventSource &source);

    // That engine is about to end, used or not.
    void forget(const void *engine);

    // The rank is done with MPI: the thread ends within a second, so that a program may that leaves
    // its first thread only.
    void stop();

    // The longest that a rank may sleep that would sleep for `nanoseconds`.
    std::uint64_t limit(std::uint64_t nanoseconds);

    // Around a sleep on the futex `word`, whose value was read before. arm() returns false if the
    // rank should rather poll, else disarm() follows: true if a message has changed `word`.
    bool arm(std::uint32_t &word);
    bool disarm();

    static constexpr std::uint64_t nap_ns = 1'000'000;

  private:
    enum class Need { unknown, none, needed };
    enum class Events { none, offered, watched, impossible };

    bool has_events();
    bool start();
    bool watch_next(std::uint32_t events) const;
    static void wake_sleeper(void *this_wakeup);

    Need need_ = Need::unknown;
    Events events_ = Events::none;
    EventSource source_ = {};
    OwnThread thread_ = {};
    int descriptor_ = -1;
    int epoll_ = -1;
    std::uint32_t *word_ = nullptr;
    std::uint32_t armed_ = 0; // whoever takes it away ends the sleep
    bool stopped_ = false;    // atomic
};

extern Wakeup wakeup;

} // namespace vmall::runtime
