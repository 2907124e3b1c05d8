// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sealed payloads: munge says who sent them, hides them from others, and refuses a forgery or a
// replay.
#pragma once

#include "wire/channel_error.hpp"

#include <cstddef>
#include <ctime>
#include <string>
#include <sys/types.h>

namespace vmall::wire {

struct Opened {
    std::string payload;
    uid_t uid;                 // of the process that sealed it
    std::time_t sealed_at = 0; // by its host's clock
};

// Sealed, a third longer, it fits into what munged accepts to open: 1 MiB.
inline constexpr std::size_t highest_payload_bytes = 700u << 10;

// Seals and opens payloads; has no state, so threads may share it. Both functions throw
// ChannelError and wait for munged as long as libmunge does (a few seconds if it hangs).
class Seal {
  public:
    // `socket` is munged's, empty: munge's default.
    explicit Seal(std::string socket);
    // Only processes of `reader` can open it, for seconds_to_live, and once on each host.
    std::string seal(const std::string &payload, uid_t reader) const;
    // Refuses a credential that is forged, expired, rewound, replayed or not for us.
    Opened open(const std::string &credential) const;

    static constexpr int seconds_to_live = 60;

  private:
    std::string socket_;
};

} // namespace vmall::wire
