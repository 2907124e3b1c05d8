// SPDX-License-Identifier: GPL-2.0-or-later
//
// When processes that talk to each other and to this one by sockets only are at rest.
#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

class Rest {
  public:
    // From now on this process runs on the processor that it is on.
    Rest();

    // One more process. It gets real-time priority on our processor, so that its threads go first.
    void watch(pid_t process);

    // Whether all are at rest. If not, call again.
    bool reached();

  private:
    struct Thread {
        pid_t id;
        char state;
        uint64_t switches;
        bool operator==(const Thread &other) const {
            return id == other.id && state == other.state && switches == other.switches;
        }
    };

    static std::vector<Thread> threads(pid_t process);
    static bool give_way_to(pid_t thread, int processor);

    int processor_;
    bool priority_ = true; // all of them have it
    std::vector<pid_t> processes_;
    std::vector<Thread> before_;
    int unchanged_ = 0; // looks
};
