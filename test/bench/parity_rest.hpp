// SPDX-License-Identifier: GPL-2.0-or-later
//
// When processes that talk to each other and to this one by sockets only are at rest.
#pragma once

#include <sys/types.h>
#include <vector>

class Rest {
  public:
    // From now on this process runs on the processor that it is on.
    Rest();

    // One more process. It gets real-time priority on our processor, so that its threads go first,
    // and always in the same order. Throws std::system_error if the kernel refuses that.
    void watch(pid_t process);

    // Whether all are at rest. If not, call again.
    bool reached() const;

  private:
    int processor_;
    std::vector<pid_t> processes_;
};
