// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sealed messages over TCP: munge says who sent them, and refuses a forgery or a replay.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <sys/types.h>

namespace vmall::control {

// The peer cannot be reached, hung up, is too slow, or munge refuses what it sent.
class ChannelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Opened {
    std::string payload;
    uid_t uid; // of the process that sealed it
};

// Seals and opens payloads. Not shared between threads. `socket` is munged's, empty: munge's default.
class Seal {
  public:
    explicit Seal(std::string socket);
    // `reader`: the only uid besides root that can open it (munge's uid restriction).
    std::string seal(const std::string &payload, uid_t reader) const;
    // Opens what only we or anyone may open; throws ChannelError on a forged, expired, rewound or replayed
    // credential.
    Opened open(const std::string &credential) const;

  private:
    std::string socket_;
};

inline constexpr std::uint32_t highest_frame_bytes = 1u << 20;

// One TCP connection with a deadline for everything that happens on it.
class Connection {
  public:
    using Clock = std::chrono::steady_clock;
    static Connection connect(const std::string &host, int port, Clock::time_point deadline);
    // Takes over an accepted socket.
    Connection(int fd, Clock::time_point deadline);
    Connection(Connection &&other) noexcept;
    Connection &operator=(Connection &&other) noexcept;
    ~Connection();

    void send(const std::string &frame);
    std::string receive(); // throws on a frame longer than highest_frame_bytes, on EOF, at the deadline

  private:
    int fd_;
    Clock::time_point deadline_;
};

// A listening socket that wakes up to stop.
class Listener {
  public:
    // Throws ChannelError if the port is taken. Port 0 lets the kernel choose.
    explicit Listener(int port);
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;
    ~Listener();
    int port() const;
    // The next connection's descriptor (close on exec), or -1 once stop() was called.
    int accept();
    void stop() noexcept; // from any thread

  private:
    int fd_;
    int wake_[2];
};

} // namespace vmall::control
