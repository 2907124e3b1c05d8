// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames on a socket that is never waited for. What is in a frame is sealed (wire/seal.hpp).
//
// A frame is four bytes "VMAL", the length of its content in four bytes in network order, and the
// content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vmall::wire {

inline constexpr std::uint32_t highest_frame_bytes = 1u << 20;

// A frame on its way out. Throws ChannelError if there is too much content.
class OutgoingFrame {
  public:
    explicit OutgoingFrame(const std::string &content);
    // Sends what goes without waiting; true once that was all. Throws ChannelError if the peer has
    // hung up.
    bool send(int fd);

  private:
    std::string bytes_;
    std::size_t sent_ = 0;
};

// A frame on its way in.
class IncomingFrame {
  public:
    // Takes what has arrived, and nothing beyond the frame; true once that was all. Throws
    // ChannelError if the peer has hung up, or sends what does not begin a frame.
    bool receive(int fd);
    bool has_begun() const noexcept { return received_ > 0; }
    std::string content() const; // once all of it is there

  private:
    void make_room(); // for the content, once the header is there
    static constexpr std::size_t header_bytes = 8;
    std::string bytes_ = std::string(header_bytes, '\0');
    std::size_t received_ = 0;
};

} // namespace vmall::wire
