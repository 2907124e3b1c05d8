// SPDX-License-Identifier: GPL-2.0-or-later
//
// A listening socket at which somebody waits for connections, until told to stop.
#pragma once

#include "wire/channel.hpp"
#include "wire/listener.hpp"

#include <poll.h>
#include <sys/eventfd.h>

class WaitingListener {
  public:
    explicit WaitingListener(int port) : listener_(port), wake_(eventfd(0, EFD_CLOEXEC)) {}
    int port() const { return listener_.port(); }
    // The next connection's descriptor, or -1 once stop() was called. Threads may share it.
    int accept() {
        for (;;) {
            pollfd waiting[] = {{wake_.get(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
            poll(waiting, 2, -1);
            if (waiting[0].revents)
                return -1;
            if (const int fd = listener_.accept().socket.release(); fd >= 0)
                return fd;
        }
    }
    void stop() { eventfd_write(wake_.get(), 1); }

  private:
    vmall::wire::Listener listener_;
    vmall::common::Descriptor wake_;
};
